export interface MapPosition {
  /** Degrees, north positive. */
  latitude: number;
  /** Degrees, east positive. */
  longitude: number;
}

/** `41.40° N, 2.17° E`. */
export function positionText({ latitude, longitude }: MapPosition): string {
  const north = `${Math.abs(latitude).toFixed(4)}° ${latitude < 0 ? 'S' : 'N'}`;
  return `${north}, ${Math.abs(longitude).toFixed(4)}° ${longitude < 0 ? 'W' : 'E'}`;
}

/** The position in a device's metadata; null where it is missing or lies nowhere on Earth. */
export function readPosition(latitude: unknown, longitude: unknown): MapPosition | null {
  const [north, east] = [toDegrees(latitude), toDegrees(longitude)];
  if (north === null || east === null || Math.abs(north) > 90 || Math.abs(east) > 180) return null;
  return { latitude: north, longitude: east };
}

function toDegrees(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || value.trim() === '') return null;
  const degrees = Number(value.trim().replace(',', '.'));
  return Number.isFinite(degrees) ? degrees : null;
}

/** Something that stands somewhere; degrees. */
export interface MapPlace {
  id: string;
  name: string;
  latitude: number;
  longitude: number;
  /** Below the name. */
  text: string | null;
  level: 'ok' | 'warning' | 'danger' | null;
}
