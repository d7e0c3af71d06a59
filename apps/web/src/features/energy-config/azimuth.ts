const DIRECTIONS = { north: 0, east: 90, south: 180, west: 270 } as const;
export type Direction = keyof typeof DIRECTIONS;

/** An azimuth with the slopes behind it, `90{10}`, in degrees. */
interface Azimuth {
  azimuth: number;
  slopes: number[];
}

/**
 * Reads one azimuth with its slopes in braces. Null where anything but digits, minus, braces and spaces stands in it; what
 * the server reads beyond that, such as parts and lists, is left to it. Source: specification 2, section 5.
 */
export function parseAzimuth(text: string): Azimuth | null {
  if (!/^[\d\-{} ]+$/.test(text)) return null;
  const [, azimuth = '', slopes] = /^\s*(-?\d+)\s*(?:\{([^{}]*)\})?\s*$/.exec(text) ?? [];
  if (azimuth === '') return null;
  const inside = slopes?.trim() ?? '';
  const numbers = inside === '' ? [] : inside.split(/\s+/).map(Number);
  return numbers.every(Number.isInteger) ? { azimuth: Number(azimuth), slopes: numbers } : null;
}

/** The azimuth turned by where its zero points. Source: specification 2, section 5. */
export function rotateAzimuth(azimuth: number, zero: Direction = 'north'): number {
  return (((azimuth + DIRECTIONS[zero]) % 360) + 360) % 360;
}

export const directionOf = (degrees: number): Direction =>
  (Object.keys(DIRECTIONS) as Direction[]).find((one) => DIRECTIONS[one] === degrees) ?? 'north';

export const DIRECTION_NAMES = Object.keys(DIRECTIONS) as Direction[];
export const degreesOf = (direction: Direction): 0 | 90 | 180 | 270 => DIRECTIONS[direction];

const POINTS = ['n', 'ne', 'e', 'se', 's', 'sw', 'w', 'nw'] as const;
type CompassPoint = (typeof POINTS)[number];

/** The point of the compass that degrees from north lie next to. */
export const pointOf = (degrees: number): CompassPoint =>
  POINTS[Math.round(degrees / 45) % 8] as CompassPoint;
