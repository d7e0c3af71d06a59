import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { packArchive, unpackArchive } from './plugin-archive.ts';
import { publish } from './publisher.ts';
import { openRepository, type Trusted } from './repository.ts';

type Entry = Parameters<ReturnType<typeof pack>['entry']>[0];
const DAY_MS = 86_400_000;
let folder = '';
const at = (path: string) => join(folder, path);
const read = (path: string) => readFileSync(at(path), 'utf8');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-publisher-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (version: string, now = Date.now(), keys = at('keys'), repository = at('repository')) =>
  publish({
    keys,
    repository,
    publications: [
      { path: `modbus/${version}.tgz`, bytes: Buffer.from(`modbus ${version}`), custom: { version } },
    ],
    now,
  });
const opened = (from = at('repository'), seed = read('repository/metadata/1.root.json')): Promise<Trusted> =>
  openRepository({ trust: at('trust'), seed, from });
const refusal = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'taken',
    (error: Error) => error.message,
  );

test('what was published is taken with its facts, and stays when more is published', async () => {
  put('1.0.0');
  put('1.1.0');
  const trusted = await opened();
  expect((await trusted.target('modbus/1.1.0.tgz'))?.custom).toEqual({ version: '1.1.0' });
  expect(String(await trusted.checked('modbus/1.0.0.tgz'))).toBe('modbus 1.0.0');
  expect(await refusal(trusted.checked('modbus/9.0.0.tgz'))).toContain('never published');
  // Keys are for the publisher alone.
  expect(readdirSync(at('keys')).filter((name) => name.endsWith('.pem'))).toHaveLength(4);
  for (const role of ['root', 'targets', 'snapshot', 'timestamp']) {
    expect(statSync(at(`keys/${role}.pem`)).mode & 0o777).toBe(0o600);
  }
});

test('another file, another publisher and changed words are refused', async () => {
  put('1.0.0');
  const seed = read('repository/metadata/1.root.json');
  writeFileSync(at('repository/targets/modbus/1.0.0.tgz'), 'modbus 6.6.6');
  expect(await refusal((await opened()).checked('modbus/1.0.0.tgz'))).toContain('not what was published');

  put('1.0.0', Date.now(), at('other-keys'), at('other'));
  expect(await refusal(opened(at('other'), seed))).toContain('not that of the publisher');

  const targets = JSON.parse(read('repository/metadata/targets.json'));
  targets.signed.targets['modbus/1.0.0.tgz'].custom.version = '2.0.0';
  writeFileSync(at('repository/metadata/targets.json'), JSON.stringify(targets));
  expect(await refusal(opened())).not.toBe('taken');
});

test('nothing older than what was seen is taken, and nothing that has expired', async () => {
  put('1.0.0', Date.now() - 10_000);
  const old = at('old');
  cpSync(at('repository'), old, { recursive: true });
  put('1.1.0');
  (await opened()).remember();
  expect(await refusal(opened(old))).toContain('older than one that was seen');
  // What was remembered survives a cut between its two renames.
  renameSync(at('trust'), at('trust.old'));
  expect(await refusal(opened(old))).toContain('older than one that was seen');
  expect(await refusal(opened())).toBe('taken');

  put('1.0.0', Date.now() - 500 * DAY_MS, at('keys2'), at('stale'));
  const seed = read('stale/metadata/1.root.json');
  expect(await refusal(opened(at('stale'), seed))).toContain('expired');
});

test('a new root is taken over from the one before, and another seed replaces it', async () => {
  put('1.0.0', Date.now() - 400 * DAY_MS);
  const seed = read('repository/metadata/1.root.json');
  put('1.1.0');
  expect(read('repository/metadata/root.json')).toBe(read('repository/metadata/2.root.json'));
  (await opened(at('repository'), seed)).remember();
  put('1.0.0', Date.now(), at('other-keys'), at('other'));
  expect(await refusal(opened(at('other'), seed))).toContain('publisher');
  const trusted = await opened(at('other'), read('other/metadata/1.root.json'));
  expect(String(await trusted.checked('modbus/1.0.0.tgz'))).toBe('modbus 1.0.0');
});

test('an archive is the same for the same files, and brings their bytes and rights', async () => {
  const files = [
    { name: 'plugin.json', bytes: Buffer.from('{}'), isProgram: false },
    { name: 'lib/a.node', bytes: Buffer.from('native'), isProgram: false },
    { name: 'modbus_albedo.mjs', bytes: Buffer.from('program'), isProgram: true },
  ];
  const archive = await packArchive(files);
  expect(archive.equals(await packArchive(files))).toBe(true);
  mkdirSync(at('out'));
  await unpackArchive(archive, at('out'));
  expect(read('out/lib/a.node')).toBe('native');
  expect(statSync(at('out/modbus_albedo.mjs')).mode & 0o777).toBe(0o755);
});

test('a hostile archive writes nothing outside and is refused', async () => {
  const tarOf = async (entries: [Entry, string?][]): Promise<Buffer> => {
    const tar = pack();
    for (const [header, text] of entries) tar.entry(header, text ?? '');
    tar.finalize();
    const chunks: Buffer[] = [];
    for await (const chunk of tar as AsyncIterable<Buffer>) chunks.push(chunk);
    return gzipSync(Buffer.concat(chunks));
  };
  const small = { files: 10, totalBytes: 1024 * 1024 };
  const hostile: [why: string, archive: Buffer][] = [
    ['leads elsewhere', await tarOf([[{ name: '../escaped' }, 'x']])],
    ['leads elsewhere', await tarOf([[{ name: '/tmp/escaped' }, 'x']])],
    ['has a symlink', await tarOf([[{ name: 'a', type: 'symlink', linkname: '/tmp' }]])],
    ['has a link', await tarOf([[{ name: 'a', type: 'link', linkname: '../../etc/shadow' }]])],
    [
      'too many files',
      await tarOf([
        [{ name: 'a' }, '1'],
        [{ name: 'a' }, '2'],
      ]),
    ],
    ['larger than', await tarOf([[{ name: 'a' }, 'x'.repeat(2_000_000)]])],
    ['larger than', gzipSync(Buffer.alloc(8_000_000))],
    ['cannot be unpacked', Buffer.from('this is no archive')],
  ];
  for (const [why, archive] of hostile) {
    rmSync(at('out'), { recursive: true, force: true });
    mkdirSync(at('out'));
    expect(await refusal(unpackArchive(archive, at('out'), small))).toContain(why);
  }
  expect(readdirSync(folder)).toEqual(['out']);
});
