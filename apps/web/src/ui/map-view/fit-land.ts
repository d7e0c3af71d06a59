import type { MapPosition } from './position.ts';
import type { worldShapes } from './world.ts';

type World = ReturnType<typeof worldShapes>;
type Corner = readonly number[];

/** Zooms between which a view lies: of the globe, and of a small country. */
const ZOOM = { least: 0.8, most: 4.5 };
/** px of the world at zoom 0. */
const WORLD_PX = 512;
/** Beside what is shown, as a share of the view. */
const MARGIN = 0.82;
/** Half of the stretch that a view of a large country shows at most, degrees. */
const REACH = 24;

interface Box {
  west: number;
  east: number;
  south: number;
  north: number;
}

/** Centre and zoom of a map that shows the place together with the land around it, or nearest to it. */
export function fitLand(
  world: World,
  { latitude, longitude }: MapPosition,
  { widthPx, heightPx }: { widthPx: number; heightPx: number },
): { center: [number, number]; zoom: number } {
  let nearest: Box | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const ring of ringsOf(world)) {
    const distance = distanceTo(ring, longitude, latitude);
    if (distance >= least) continue;
    least = distance;
    nearest = boxOf(ring);
  }
  const land = nearest ?? { west: longitude, east: longitude, south: latitude, north: latitude };
  const box = {
    west: Math.min(longitude, Math.max(land.west, longitude - REACH)),
    east: Math.max(longitude, Math.min(land.east, longitude + REACH)),
    south: Math.min(latitude, Math.max(land.south, latitude - REACH)),
    north: Math.max(latitude, Math.min(land.north, latitude + REACH)),
  };
  const [bottom, top] = [mercator(box.south), mercator(box.north)];
  const across = Math.max(0.5, box.east - box.west) / 360;
  const up = Math.max(0.5 / 360, top - bottom);
  const zoom = Math.log2(Math.min((widthPx * MARGIN) / across, (heightPx * MARGIN) / up) / WORLD_PX);
  return {
    center: [(box.west + box.east) / 2, inverse((bottom + top) / 2)],
    zoom: Math.min(ZOOM.most, Math.max(ZOOM.least, zoom)),
  };
}

function* ringsOf({ features }: World): Generator<Corner[]> {
  for (const { geometry } of features) {
    if (geometry.type === 'Polygon') yield geometry.coordinates[0] ?? [];
    if (geometry.type === 'MultiPolygon') for (const polygon of geometry.coordinates) yield polygon[0] ?? [];
  }
}

/** To the nearest corner, in degrees; 0 within the ring. */
function distanceTo(ring: Corner[], x: number, y: number): number {
  let isWithin = false;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [xi = 0, yi = 0] = ring[i] ?? [];
    const [xj = 0, yj = 0] = ring[j] ?? [];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) isWithin = !isWithin;
    least = Math.min(least, Math.hypot(xi - x, yi - y));
  }
  return isWithin ? 0 : least;
}

function boxOf(ring: Corner[]): Box {
  const xs = ring.map(([x = 0]) => x);
  const ys = ring.map(([, y = 0]) => y);
  return { west: Math.min(...xs), east: Math.max(...xs), south: Math.min(...ys), north: Math.max(...ys) };
}

/** Height on the map as a share of the world, 0 at the equator. */
const mercator = (latitude: number): number => {
  const rad = (Math.max(-84, Math.min(84, latitude)) * Math.PI) / 180;
  return Math.log(Math.tan(Math.PI / 4 + rad / 2)) / (2 * Math.PI);
};
const inverse = (share: number): number =>
  ((2 * Math.atan(Math.exp(share * 2 * Math.PI)) - Math.PI / 2) * 180) / Math.PI;
