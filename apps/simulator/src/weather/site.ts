export interface Site {
  latitudeDeg: number;
  longitudeDeg: number;
  altitudeM: number;
  timezone: string;
}

export interface Climate {
  /** Air temperature, mean of the year, swing between winter and summer, swing within a sunny day, °C. */
  meanC: number;
  yearSwingC: number;
  daySwingC: number;
  /** 0 desert to 1 always overcast. */
  cloudiness: number;
  windMs: number;
}
