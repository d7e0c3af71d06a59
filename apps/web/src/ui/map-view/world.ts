import { feature, type Geometry, type Ring, type Shape } from 'topojson-client';

/** The countries of the world, as `world-atlas` packs them. */
export interface WorldTopology {
  objects: { countries: unknown };
}

/** The countries as GeoJSON shapes that a flat map can draw. */
export function worldShapes(topology: WorldTopology): { type: 'FeatureCollection'; features: Shape[] } {
  const { features } = feature(topology, topology.objects.countries);
  return {
    type: 'FeatureCollection',
    features: features.map((shape) => ({ ...shape, geometry: unwrap(shape.geometry) })),
  };
}

function unwrap(geometry: Geometry): Geometry {
  if (geometry.type === 'Polygon')
    return { type: 'Polygon', coordinates: geometry.coordinates.map(unwrapRing) };
  return { type: 'MultiPolygon', coordinates: geometry.coordinates.map((rings) => rings.map(unwrapRing)) };
}

/**
 * A ring that crosses the 180th meridian jumps from one edge of the map to the other, which would be drawn as a band
 * across the world. Unwrapped it goes on beyond the edge; a ring around a pole is closed over that pole.
 */
export function unwrapRing(ring: Ring): Ring {
  let turns = 0;
  let last = ring[0]?.[0] ?? 0;
  const unwrapped = ring.map(([longitude = 0, latitude = 0]) => {
    if (longitude - last > 180) turns -= 360;
    else if (last - longitude > 180) turns += 360;
    last = longitude;
    return [longitude + turns, latitude];
  });
  const first = unwrapped[0];
  const end = unwrapped.at(-1);
  if (!first || !end || Math.abs((end[0] ?? 0) - (first[0] ?? 0)) < 180) return unwrapped;
  const pole = (end[1] ?? 0) < 0 ? -90 : 90;
  return [...unwrapped, [end[0] ?? 0, pole], [first[0] ?? 0, pole], first];
}
