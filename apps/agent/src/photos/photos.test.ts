import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { scenarioSchemas } from '@albedo/contract/device-config/scenarios.schema';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WatchCapture } from '../captures/watch.capture.ts';
import { WatchFolderCapture } from '../captures/watch-folder.capture.ts';
import { createLog } from '../log.ts';
import type { CaptureFault } from '../outbox/faults.ts';
import type { Position, Unit } from '../outbox/outbox.events.ts';
import { PhotoShelf } from './photo-shelf.ts';

let folder = '';
let units: Unit[] = [];
let faults: CaptureFault[] = [];
let positions = new Map<string, Position | null>();
let shelf: PhotoShelf;
let capture: WatchCapture | WatchFolderCapture | null = null;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-photos-'));
  mkdirSync(join(folder, 'cam'));
  units = [];
  faults = [];
  positions = new Map();
  shelf = newShelf();
});
afterEach(() => {
  capture?.stop();
  capture = null;
  rmSync(folder, { recursive: true, force: true });
});

function newShelf(limitBytes = 1e6): PhotoShelf {
  const made = new PhotoShelf({ directory: join(folder, 'shelf'), limitBytes, log: createLog('error') });
  made.start();
  return made;
}

/** A PNG of one pixel; `note` makes it another one. */
function png(note: string): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
  };
  const head = Buffer.from('0000000100000001080000000000', 'hex').subarray(0, 13);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('tEXt', Buffer.from(`Comment\0${note}`)),
    chunk('IDAT', deflateSync(Buffer.alloc(2))),
    Buffer.from('0000000049454e44ae426082', 'hex'),
  ]);
}

function watch(file: string, more: object = {}): void {
  const scenario = scenarioSchemas.watch.parse({
    table: 'photos',
    source: 'roof',
    file,
    send_file: true,
    ...more,
  });
  const options = {
    file: join(folder, file),
    photos: shelf,
    report: (fault: CaptureFault) => faults.push(fault),
    sink: {
      append: (unit: Unit) => {
        units.push(unit);
        if (unit.position) positions.set(unit.position.key, unit.position.value);
      },
      hasRoom: () => true,
      position: (key: string) => positions.get(key) ?? null,
      positionKeys: () => [...positions.keys()],
    },
  };
  capture = file.includes('*')
    ? new WatchFolderCapture(scenario, options)
    : new WatchCapture(scenario, options);
  capture.start();
}

function restart(file: string, more: object = {}): void {
  capture?.stop();
  shelf = newShelf();
  watch(file, more);
}

const put = (name: string, bytes: Uint8Array | string) => writeFileSync(join(folder, 'cam', name), bytes);
const rows = () =>
  units.flatMap(({ captures }) =>
    captures.flatMap(({ shape, rows }) =>
      rows.map(({ values }) => Object.fromEntries(shape.fields.map(({ name }, at) => [name, values[at]]))),
    ),
  );
const waitFor = (claim: () => void) => vi.waitFor(claim, { timeout: 4000, interval: 20 });

test('a picture that comes into a watched folder waits on the disk, and its event names it', async () => {
  put('old.png', png('there before'));
  watch('/cam/*.png');
  put('a.png', png('a'));
  await waitFor(() => expect(rows()).toHaveLength(1));
  const [row] = rows();
  expect(row).toMatchObject({ file: '/cam/a.png', change: 'created', content: null });
  expect(shelf.list()).toMatchObject([{ id: row?.photo, file: 'a.png', source: 'roof', table: 'photos' }]);
  expect(faults).toEqual([]);
});

test('what was there before is taken where the configuration says so', async () => {
  put('1.png', png('1'));
  put('2.png', png('2'));
  watch('/cam/*.png', { from: 'start' });
  await waitFor(() => expect(rows()).toHaveLength(2));
});

test('a file that is still written, or was never a picture, is no photo', async () => {
  watch('/cam/*.png');
  const whole = png('slow');
  put('slow.png', whole.subarray(0, 40));
  await new Promise((done) => setTimeout(done, 900));
  expect(rows()).toEqual([]);
  appendFileSync(join(folder, 'cam/slow.png'), whole.subarray(40));
  put('evil.png', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"></svg>');
  await waitFor(() => expect(faults).toHaveLength(1));
  expect(faults[0]?.message).toContain('evil.png is no JPEG');
  expect(shelf.list().map(({ file }) => file)).toEqual(['slow.png']);
});

test('one file that a camera writes again and again is a photo each time', async () => {
  put('latest.png', png('1'));
  watch('/cam/latest.png');
  await waitFor(() => expect(rows()).toHaveLength(1));
  put('next', png('2'));
  renameSync(join(folder, 'cam/next'), join(folder, 'cam/latest.png'));
  await waitFor(() => expect(rows()).toHaveLength(2));
  expect(rows().map(({ change }) => change)).toEqual(['found', 'changed']);
  expect(shelf.facts.count).toBe(2);
});

test('a restart forgets nothing that waits, and takes nothing twice', async () => {
  watch('/cam/*.png');
  put('a.png', png('a'));
  await waitFor(() => expect(rows()).toHaveLength(1));
  // As a loss of power leaves it: half of another one.
  writeFileSync(join(folder, 'shelf', '11111111-1111-4111-8111-111111111111'), 'half');
  put('b.png', png('b'));
  restart('/cam/*.png');
  await waitFor(() => expect(rows()).toHaveLength(2));
  expect(shelf.facts.count).toBe(2);
  expect(readdirSync(join(folder, 'shelf'))).toHaveLength(4);
});

test('killed between the photo and its event, the photo is found again under the same id', async () => {
  watch('/cam/*.png');
  put('a.png', png('a'));
  await waitFor(() => expect(rows()).toHaveLength(1));
  const [first] = rows();
  const [key] = positions.keys();
  positions.set(key ?? '', { inode: 0, offset: 0, tail: '', header: '[0,""]', skipping: false });
  restart('/cam/*.png');
  await waitFor(() => expect(rows()).toHaveLength(2));
  expect(rows()[1]?.photo).toBe(first?.photo);
  expect(shelf.facts.count).toBe(1);
});

test('the oldest make room, and each is told of', () => {
  const dropped: string[] = [];
  const size = png('1').length;
  shelf = newShelf(2 * size + 10);
  shelf.onDropped = ({ file }) => dropped.push(file);
  for (const n of [2, 1, 3]) {
    const id = `0000000${n}-0000-4000-8000-000000000000`;
    shelf.keep(
      { id, table: 't', source: 's', file: `${n}`, takenAt: n, size, sha256: '0'.repeat(64) },
      png(`${n}`),
    );
  }
  expect(dropped).toEqual(['1']);
  expect(newShelf().facts).toEqual({ count: 2, bytes: 2 * size, dropped: 1 });
  expect(shelf.list().map(({ file }) => file)).toEqual(['3', '2']);
  const large = {
    id: '00000009-0000-4000-8000-000000000000',
    table: 't',
    source: 's',
    file: '9',
    takenAt: 9,
    size: 3 * size,
  };
  expect(shelf.keep({ ...large, sha256: '0'.repeat(64) }, Buffer.alloc(3 * size))).toBe(false);
});
