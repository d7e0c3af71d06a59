import { expect, test } from 'vitest';
import topology from 'world-atlas/countries-110m.json';
import { fitLand } from './fit-land.ts';
import { worldShapes } from './world.ts';

const size = { widthPx: 340, heightPx: 250 };
const view = (latitude: number, longitude: number) =>
  fitLand(worldShapes(topology), { latitude, longitude }, size);

/** Degrees that the view shows at either side of its centre. */
const halfWidth = (zoom: number) => ((size.widthPx / 512 / 2 ** zoom) * 360) / 2;

test('a place at the coast is shown with its country, not with the sea', () => {
  const { center, zoom } = view(-27.39, 153.16);
  expect(center[0]).toBeLessThan(147);
  expect(Math.abs(153.16 - center[0])).toBeLessThan(halfWidth(zoom));
});

test('a small country fills the view, a place in the sea has the nearest land beside it', () => {
  expect(view(40.31, -3.42).zoom).toBeGreaterThan(3);
  const island = view(-10, 100);
  expect(halfWidth(island.zoom)).toBeGreaterThan(2.5);
});
