import { describe, expect, it } from 'vitest';
import topology from 'world-atlas/countries-110m.json';
import { unwrapRing, worldShapes } from './world.ts';

describe('the world map', () => {
  it('has no shape that jumps from one edge of the map to the other', () => {
    const shapes = worldShapes(topology);
    expect(shapes.features.length).toBeGreaterThan(170);
    for (const { geometry } of shapes.features) {
      const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
      for (const ring of polygons.flat()) {
        for (let i = 1; i < ring.length; i++) {
          const isOverPole = Math.abs(ring[i]?.[1] ?? 0) === 90 && Math.abs(ring[i - 1]?.[1] ?? 0) === 90;
          const step = Math.abs((ring[i]?.[0] ?? 0) - (ring[i - 1]?.[0] ?? 0));
          if (!isOverPole) expect(step).toBeLessThan(180);
        }
      }
    }
  });

  it('goes on beyond the edge where a ring crosses the 180th meridian', () => {
    expect(
      unwrapRing([
        [170, 60],
        [-170, 60],
        [-170, 65],
        [170, 65],
        [170, 60],
      ]),
    ).toEqual([
      [170, 60],
      [190, 60],
      [190, 65],
      [170, 65],
      [170, 60],
    ]);
  });

  it('closes a ring around a pole over that pole', () => {
    const ring = unwrapRing([-180, -90, 0, 90, 180].map((longitude) => [longitude, -80]));
    expect(ring.slice(-3)).toEqual([
      [180, -90],
      [-180, -90],
      [-180, -80],
    ]);
  });
});
