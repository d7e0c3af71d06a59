import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Photo } from '@albedo/contract/photos/photos.schema';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { connectCamera, readWhole, type TakenPhoto, type TestCamera, takePhoto } from '../testing/camera.ts';
import { BytesAnswer } from '../testing/fake-agent.ts';
import { greyPicture } from '../testing/grey-picture.ts';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { checkPhoto } from './photos.fetcher.ts';

let cloud: TestCloud;
let token = '';
const cameras: TestCamera[] = [];
beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
});
afterAll(() => cloud.stop());
afterEach(async () => {
  for (const { agent } of cameras.splice(0)) await agent.leave();
});

const AT = Date.UTC(2026, 2, 1, 12);
const MINUTE = 60_000;

/** A device whose photos the cloud has, or has refused. */
async function cameraWith(
  photos: TakenPhoto[],
  options: Omit<NonNullable<Parameters<typeof connectCamera>[1]>, 'photos'> = {},
): Promise<string> {
  const camera = await connectCamera(cloud, { ...options, photos });
  cameras.push(camera);
  await vi.waitFor(
    async () => {
      await camera.tell();
      await new Promise((done) => setTimeout(done, 200));
      expect(camera.waiting).toEqual([]);
    },
    { timeout: 15_000 },
  );
  return camera.agent.id;
}

const get = (path: string, by = token) => cloud.call('GET', path, { token: by });
const files = (device: string) => {
  try {
    return readdirSync(join(cloud.dataDir, 'files/photos', device));
  } catch {
    return [];
  }
};

test('a photo of a device is listed by its time and source, and served as a picture that runs nothing', async () => {
  const bytes = greyPicture(40, 30);
  const photo = takePhoto({ takenAt: AT, bytes, source: 'roof/east cam' });
  const device = await cameraWith([photo]);
  const { body } = await get(`devices/main/${device}/uploads?startTime=${AT}&endTime=${AT + 1}`);
  const { table, file, source, size, sha256, id } = photo;
  const kept = { id, deviceId: device, takenAt: AT, type: 'image/png', width: 40, height: 30 };
  expect(body).toMatchObject({ photos: [{ ...kept, table, file, source, size, sha256 }], after: null });
  expect((await get(`devices/main/${device}/uploads?endTime=${AT}`)).body.photos).toEqual([]);

  const served = await get(`devices/main/${device}/uploads/${id}`);
  expect(Object.fromEntries(served.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': 'attachment; filename="roof-east-cam-2026-03-01T120000.png"',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'no-store',
  });
  expect(served.bytes.equals(bytes)).toBe(true);
  expect((await cloud.call('GET', `devices/main/${device}/uploads/${id}`)).status).toBe(401);
});

/** As the disk does it. */
function flip(device: string, photo: string): void {
  const path = join(cloud.dataDir, 'files/photos', device, photo);
  const bytes = readFileSync(path);
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 4;
  writeFileSync(path, bytes);
}

test('a photo that the disk has changed is not served as the one of the camera', async () => {
  const bytes = greyPicture(40, 30);
  const photo = takePhoto({ takenAt: AT, bytes });
  const device = await cameraWith([photo], { name: 'Damaged' });
  flip(device, photo.id);
  const served = await get(`devices/main/${device}/uploads/${photo.id}`);
  expect(served.status).toBe(500);
  expect(served.headers.get('content-type')).toContain('application/json');
});

test('photos that the disk has changed or lost are found, named, and left out of an export', async () => {
  const photos = [0, 1, 2].map((n) => takePhoto({ takenAt: AT + n, bytes: greyPicture(20, 20 + n) }));
  const device = await cameraWith(photos, { name: 'Hurt' });
  const whole = await cameraWith([takePhoto({ takenAt: AT })], { name: 'Whole' });
  const { storeChecks, photos: service } = cloud.cloud.features;
  const found = async () => {
    await storeChecks.round();
    return storeChecks.damages.filter(({ what }) => what.includes(device) || what.includes(whole));
  };
  expect(await found()).toEqual([]);
  const [changed, lost, kept] = photos.map(({ id }) => id).toSorted();
  flip(device, changed ?? '');
  rmSync(join(cloud.dataDir, 'files/photos', device, lost ?? ''));
  const reason = `2 of its 3 photos are changed or gone, the first of them is ${changed}`;
  expect(await found()).toMatchObject([
    { engine: 'files', what: `photos of device ${device}`, reason, isSetAside: false },
  ]);
  expect((await cloud.call('GET', '/readyz')).body).toMatchObject({
    status: 'impaired',
    checks: { 'files on the disk': expect.stringContaining(device) },
  });
  const files: Record<string, string> = {};
  for await (const { name, content } of service.exported('main', AbortSignal.timeout(10_000)))
    files[name] = String(content instanceof Readable ? (await content.toArray()).length : content);
  const names = Object.keys(files).filter((name) => name.includes(device));
  expect(names).toEqual([`photos/${device}/${kept}.png`]);
  for (const id of [changed, lost])
    expect(files['photos/damaged.txt']).toContain(`photos/${device}/${id}.png\n`);
  // Put back, from a backup say, or deleted.
  flip(device, changed ?? '');
  await cloud.call('DELETE', `devices/main/${device}/uploads/${lost}`, { token });
  expect(await found()).toEqual([]);
});

test('pages follow one another, and one camera is picked out', async () => {
  const photos = [0, 1, 2, 3, 4].map((n) =>
    takePhoto({ takenAt: AT + n, source: n === 2 ? 'gate' : 'roof' }),
  );
  const device = await cameraWith(photos, { name: 'Pages' });
  const seen: string[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const { body } = await get(`photos/main?device=${device}&limit=2${after && `&after=${after}`}`);
    seen.push(...body.photos.map((one: Photo) => one.id));
    after = body.after;
  }
  expect(seen).toEqual(photos.map(({ id }) => id).reverse());
  const gate = await get(`photos/main?device=${device}&identifier=gate`);
  expect(gate.body.photos).toHaveLength(1);
  const { body } = await get('photos/main/cameras');
  const own = body.filter(({ deviceId }: Photo) => deviceId === device);
  expect(own).toMatchObject([
    { source: 'roof', photos: 4, firstAt: AT, lastAt: AT + 4 },
    { source: 'gate', photos: 1 },
  ]);
});

test('a slideshow has the photos of one camera in their order, of very many an even choice', async () => {
  const photos = [3, 1, 2].map((n) => takePhoto({ takenAt: AT + n * MINUTE }));
  const device = await cameraWith([...photos, takePhoto({ takenAt: AT, source: 'gate' })], { name: 'Show' });
  const body = { identifier: 'roof', startTime: AT, endTime: AT + 3 * MINUTE };
  const reply = await cloud.call('POST', `devices/main/${device}/slideshow`, { token, body });
  expect(reply.body.total).toBe(2);
  expect(reply.body.frames.map(({ takenAt }: Photo) => takenAt - AT)).toEqual([MINUTE, 2 * MINUTE]);

  const { postgres } = cloud.cloud.features;
  const { PhotosStore } = await import('./photos.store.ts');
  const store = new PhotosStore(postgres);
  const row = await store.get('main', device, photos[0]?.id ?? '');
  for (let n = 0; n < 30; n++) {
    if (row) await store.add({ ...row, id: randomUUID(), source: 'many', takenAt: new Date(AT + n) });
  }
  const { ALL_DEVICES } = await import('../access/device-scope.ts');
  const meant = { workgroup: 'main', scope: ALL_DEVICES, device, source: 'many' };
  const { rows, total } = await store.frames(meant, 10);
  expect(total).toBe(30);
  expect(rows.map(({ takenAt }) => takenAt.getTime() - AT)).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 24, 27]);
});

test('members of a device group see the photos of its devices and sources alone, and strangers none', async () => {
  const roof = takePhoto({ takenAt: AT });
  const gate = takePhoto({ takenAt: AT, source: 'gate' });
  const inside = await cameraWith([roof, gate], { name: 'Inside' });
  const outside = await cameraWith([takePhoto({ takenAt: AT })], { name: 'Outside' });
  const composition = { type: 'SRC', devices: [{ device: inside, sources: ['roof'] }] };
  const made = await cloud.call('POST', 'orgs/main/device-groups', {
    token,
    body: { name: 'G', composition },
  });
  const bound = await cloud.newUser({
    main: { role: 'power', permissions: ['read'], devGroup: made.body._id },
  });
  const seen = await get('photos/main', bound);
  expect(seen.body.photos.map(({ id }: Photo) => id)).toEqual([roof.id]);
  expect((await get('photos/main/cameras', bound)).body).toMatchObject([
    { deviceId: inside, source: 'roof' },
  ]);
  expect((await get(`devices/main/${inside}/uploads/${roof.id}`, bound)).status).toBe(200);
  expect((await get(`devices/main/${inside}/uploads/${gate.id}`, bound)).body.error).toBe('photo.not_found');
  expect((await get(`devices/main/${outside}/uploads`, bound)).status).toBe(404);
  const body = { identifier: 'gate', startTime: 0, endTime: AT * 2 };
  const show = await cloud.call('POST', `devices/main/${inside}/slideshow`, { token: bound, body });
  expect(show.body.frames).toEqual([]);

  const stranger = await cloud.newUser({ other: { role: 'owner', permissions: ['read'] } });
  expect((await get('photos/other', stranger)).body.photos).toEqual([]);
  expect((await get('photos/main', stranger)).status).toBe(403);
});

test('whoever manages devices deletes a photo, and the audit log tells', async () => {
  const photo = takePhoto({ file: 'gone.png' });
  const device = await cameraWith([photo], { name: 'Deleted' });
  const path = `devices/main/${device}/uploads/${photo.id}`;
  const reader = await cloud.newUser({ main: { role: 'power', permissions: ['read'] } });
  expect((await cloud.call('DELETE', path, { token: reader })).status).toBe(403);
  expect(files(device)).toEqual([photo.id]);
  expect((await cloud.call('DELETE', path, { token })).status).toBe(200);
  expect(files(device)).toEqual([]);
  expect((await get(path)).body.error).toBe('photo.not_found');
  const entry = { controller: 'photos', action: 'delete', old_value: 'gone.png' };
  await vi.waitFor(async () =>
    expect(await auditOf(cloud, 'main')).toContainEqual(expect.objectContaining(entry)),
  );
});

test('what a device calls a photo and is none is never stored', async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"></svg>');
  const cut = greyPicture().subarray(0, 40);
  const photos = [
    takePhoto({ bytes: svg }),
    takePhoto({ bytes: cut }),
    takePhoto({ bytes: greyPicture(20_001, 1) }),
    takePhoto({ sha256: '0'.repeat(64) }),
    takePhoto({ size: greyPicture().length + 5 }),
  ];
  const good = takePhoto({ takenAt: AT });
  const device = await cameraWith([...photos, good], { name: 'Hostile' });
  expect(files(device)).toEqual([good.id]);
  expect((await get(`devices/main/${device}/uploads`)).body.photos).toHaveLength(1);
});

test('a line that breaks in the middle of a photo goes on where it was', async () => {
  const bytes = Buffer.concat([greyPicture(), Buffer.alloc(60_000)]);
  const asked: number[] = [];
  const read = (photo: TakenPhoto | undefined, from: number) => {
    asked.push(from);
    if (from > 0) return readWhole(photo, from);
    // A result that is none ends it, after these bytes.
    return new BytesAnswer(bytes.subarray(0, 20_000), 'cut');
  };
  const device = await cameraWith([takePhoto({ bytes })], { name: 'Cut', read });
  expect(asked).toEqual([0, 20_000]);
  expect(files(device)).toHaveLength(1);
});

test('a photo of a clock that is years off counts as taken when it came', async () => {
  const device = await cameraWith([takePhoto({ takenAt: 1000 }), takePhoto({ takenAt: AT * 2 })], {
    name: 'Clock',
  });
  const { body } = await get(`devices/main/${device}/uploads`);
  for (const { takenAt } of body.photos) expect(Math.abs(Date.now() - takenAt)).toBeLessThan(60_000);
});

test('photos go when they are too old, too many, or their device is gone', async () => {
  const young = takePhoto({ takenAt: Date.now() - 1000 });
  const device = await cameraWith([takePhoto({ takenAt: Date.now() - 3 * 86_400_000 }), young], {
    name: 'Tidy',
  });
  const set = (value: object) => cloud.call('PUT', 'orgs/main/settings/photos', { token, body: { value } });
  const { photos } = cloud.cloud.features;
  await photos.tidy(AbortSignal.timeout(10_000));
  expect(files(device)).toHaveLength(2);
  expect((await set({ days: 2 })).status).toBe(200);
  await photos.tidy(AbortSignal.timeout(10_000));
  expect(files(device)).toEqual([young.id]);
  expect((await set({ days: 0 })).status).toBe(400);
  await cloud.call('DELETE', `devices/main/${device}`, { token });
  await photos.tidy(AbortSignal.timeout(10_000));
  expect(files(device)).toEqual([]);
});

test('a picture is what its bytes are', () => {
  expect(checkPhoto(greyPicture(4, 3))).toEqual({ type: 'image/png', width: 4, height: 3 });
  expect(checkPhoto(Buffer.from('BMW drives on a sunny road, and this is only a text'))).toBe(
    'it is no picture',
  );
  expect(checkPhoto(Buffer.from('<html><script>'))).toBe('it is no picture');
});
