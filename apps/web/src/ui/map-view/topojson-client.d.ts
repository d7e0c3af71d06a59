/** The one function of the library that the map uses; it ships no types. */
declare module 'topojson-client' {
  export type Ring = number[][];
  export type Geometry =
    | { type: 'Polygon'; coordinates: Ring[] }
    | { type: 'MultiPolygon'; coordinates: Ring[][] };
  export interface Shape {
    type: 'Feature';
    properties: Record<string, unknown>;
    geometry: Geometry;
  }
  export function feature(topology: unknown, collection: unknown): { features: Shape[] };
}
