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

/** Between a name and the edge of the map, px. */
const EDGE = 4;

/**
 * How far a name centred at `x` moves so that all of it is on a map of `mapWidth`, px; 0 where its place is out of sight,
 * or where it has no room anyway.
 */
export function labelShiftPx(x: number, labelWidth: number, mapWidth: number): number {
  const reach = labelWidth / 2 + EDGE;
  if (x < 0 || x > mapWidth || 2 * reach > mapWidth) return 0;
  return Math.min(Math.max(x, reach), mapWidth - reach) - x;
}
