/** The devices of the demo: this machine, and three plants that a simulator plays. Positions in degrees. */
export const DEMO_WORKGROUP = { name: 'demo', displayName: 'Demo' } as const;

export interface DemoDevice {
  /** Name of its folder below `<data>/demo/agents/`. */
  slug: string;
  name: string;
  /** Its general information; texts, as people enter them. */
  info: Record<string, string>;
}

export const DEMO_DEVICES: readonly DemoDevice[] = [
  {
    slug: 'this-machine',
    name: 'This machine',
    // Where this machine stands nobody has told.
    info: { Timezone: Intl.DateTimeFormat().resolvedOptions().timeZone },
  },
  {
    slug: 'hilltop',
    name: 'Hilltop',
    info: {
      Latitude: '-33.93',
      Longitude: '18.86',
      Timezone: 'Africa/Johannesburg',
      'Rated power': '50 kW',
      'Peak power': '61.6 kWp',
      Azimuth: '0, 340',
      Slope: '28',
    },
  },
  {
    slug: 'riverside',
    name: 'Riverside',
    info: {
      Latitude: '39.68',
      Longitude: '-104.91',
      Timezone: 'America/Denver',
      'Rated power': '300 kW',
      'Peak power': '378 kWp',
      Azimuth: '110, 290',
      Slope: '12',
    },
  },
  {
    slug: 'harbour',
    name: 'Harbour',
    info: {
      Latitude: '-12.46',
      Longitude: '130.85',
      Timezone: 'Australia/Darwin',
      'Rated power': '1200 kW',
      'Peak power': '1555 kWp',
      Azimuth: '20, 340, 0',
      Slope: '10, 10, 5',
    },
  },
];
