import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isWholePhoto, photoTypeOf } from '@albedo/contract/photos/photo-type';
import { PLANTS } from '@albedo/simulator/plants/plants';
import { afterEach, expect, test, vi } from 'vitest';
import { CAMERA_SLUG, Camera, followCamera } from './camera.ts';
import { viewOf } from './camera-view.ts';

const root = mkdtempSync(join(tmpdir(), 'albedo-camera-'));
afterEach(() => {
  vi.useRealTimers();
  rmSync(root, { recursive: true, force: true });
});
const plant = PLANTS.find(({ slug }) => slug === CAMERA_SLUG);
if (!plant) throw new Error('the plant with the camera is gone');

test('a picture is a whole PNG, and noon is another sight than night', () => {
  const noon = viewOf(plant, Date.UTC(2026, 10, 20, 10, 30));
  const night = viewOf(plant, Date.UTC(2026, 10, 20, 22));
  for (const picture of [noon, night]) {
    expect(photoTypeOf(picture)).toBe('image/png');
    expect(isWholePhoto('image/png', picture)).toBe(true);
    expect(picture.length).toBeLessThan(200_000);
  }
  expect(noon.equals(night)).toBe(false);
});

test('a new demo has photos of the past hours with their times, and the agent follows their folder', async () => {
  mkdirSync(join(root, 'etc/albedo'), { recursive: true });
  writeFileSync(join(root, 'etc/albedo/albedo.yaml'), 'mqtt: {}\n');
  followCamera(root);
  followCamera(root);
  expect(readFileSync(join(root, 'etc/albedo/albedo.yaml'), 'utf8').match(/^watch:/gm)).toHaveLength(1);
  vi.useFakeTimers();
  const camera = new Camera(root, plant);
  camera.start();
  await vi.advanceTimersByTimeAsync(3000);
  camera.stop();
  const folder = join(root, 'srv/camera');
  const names = readdirSync(folder).sort();
  expect(names.length).toBeGreaterThan(5);
  const [first = ''] = names;
  const taken = statSync(join(folder, first)).mtime.toISOString();
  expect(`${taken.slice(0, 19).replaceAll(':', '-')}.png`).toBe(first);
});
