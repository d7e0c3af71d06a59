import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SmallS3 } from '../testing/small-s3.ts';
import { S3Files } from './files.s3.ts';
import { type FileStore, FolderFiles } from './files.store.ts';
import { imageType } from './image-type.ts';
import { bucketOf } from './s3-address.ts';

const s3 = new SmallS3();
const folder = mkdtempSync(join(tmpdir(), 'albedo-files-'));
const stores: Record<string, FileStore> = {};
beforeAll(async () => {
  stores.folder = await FolderFiles.open(folder);
  stores.S3 = new S3Files(await s3.start());
});
afterAll(() => {
  s3.stop();
  rmSync(folder, { recursive: true, force: true });
});

const textAt = async (store: FileStore, key: string): Promise<string | null> => {
  const bytes = await store.get(key);
  return bytes && (await buffer(bytes)).toString();
};

describe.each(['folder', 'S3'])('files in %s', (name) => {
  const store = (): FileStore => stores[name] as FileStore;

  test('what is put is got, replaced and removed', async () => {
    expect(await store().get('support/a/b')).toBeNull();
    await store().put('support/a/b', Readable.from([Buffer.from('one '), Buffer.from('two')]));
    expect(await textAt(store(), 'support/a/b')).toBe('one two');
    await store().put('support/a/b', Readable.from([Buffer.from('three')]));
    expect(await textAt(store(), 'support/a/b')).toBe('three');
    await store().remove('support/a/b');
    await store().remove('support/a/b');
    expect(await store().get('support/a/b')).toBeNull();
  });

  test('of a stream that fails nothing stays, and what was there before does', async () => {
    await store().put('kept', Readable.from([Buffer.from('as it was')]));
    const failing = new PassThrough();
    failing.write('half of');
    setImmediate(() => failing.destroy(new Error('gone')));
    await expect(store().put('kept', failing)).rejects.toThrow('gone');
    expect(await textAt(store(), 'kept')).toBe('as it was');
  });

  test.each(['', '../out', 'a/../b', '/etc/passwd', 'a//b', 'A', 'a.b', '.incoming/x', 'a/', 'a\\b', 'a\0'])(
    'the key %j is refused',
    async (key) => {
      await expect(store().get(key)).rejects.toThrow('is not usable');
      await expect(store().remove(key)).rejects.toThrow('is not usable');
      await expect(store().put(key, Readable.from([]))).rejects.toThrow('is not usable');
    },
  );
});

test('what was half written when the process ended is gone at the next start', async () => {
  writeFileSync(join(folder, '.incoming', 'half'), 'half');
  await FolderFiles.open(folder);
  expect(readdirSync(join(folder, '.incoming'))).toEqual([]);
});

test('an S3 address names bucket, prefix, region and who asks', () => {
  expect(bucketOf('s3://photos/of/2026?region=eu-central-1')).toEqual({
    name: 'photos',
    prefix: 'of/2026/',
    region: 'eu-central-1',
    endpoint: null,
    credentials: null,
  });
  expect(bucketOf('https://key:s%2Fecret@s3.example:9000/photos')).toEqual({
    name: 'photos',
    prefix: '',
    region: 'us-east-1',
    endpoint: 'https://s3.example:9000',
    credentials: { accessKeyId: 'key', secretAccessKey: 's/ecret' },
  });
  expect(() => bucketOf('https://key:secret@s3.example')).toThrow('no bucket');
});

test('a picture is known by its bytes', async () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d', 'hex');
  expect(await imageType(Readable.from([png.subarray(0, 3), png.subarray(3)]))).toBe('image/png');
  expect(await imageType(Readable.from([Buffer.from('<svg onload="alert(1)">')]))).toBeNull();
  expect(await imageType(Readable.from([]))).toBeNull();
});
