import { createReadStream, createWriteStream, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import { connectAgent } from './fake-agent.ts';
import { fill } from './filled-workgroup.ts';
import { OWNER, startTestCloud, type TestCloud } from './test-cloud.ts';

/** One data folder of each release, as `data-folder-<version>.tar.zst`. */
const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));
const SUFFIX = '.tar.zst';
/** Lies in the folder: what could be read of it when it was made. */
const READS = 'reads.json';

const WORKGROUP = 'plant';
const EVENTS = 500;
/** More than the store has numbered columns for. */
const WIDE = 80;
/** The empty cluster is there three times, megabytes apart; a window over all of them halves the file. */
const WINDOW_LOG = 26;
/** Differs from start to start: times of asking and of signing in, and addresses with the port. */
const VOLATILE = new Set(['took', 'fetchedAt', 'lastSignInAt', 'saml', 'oidc']);

/** What a path of the API answered. */
interface Read {
  path: string;
  body: unknown;
}

/** Starts the present code on a data folder, with the owner among the provider's staff. */
export const startOn = (dataDir: string): Promise<TestCloud> =>
  startTestCloud({ ALBEDO_DATA: dataDir, ALBEDO_STAFF_DOMAINS: OWNER.email.replace(/.*@/, '') });

/** Names of the data folders that are kept, such as `data-folder-1.6.96`. */
export const releasedFolders = async (): Promise<string[]> =>
  (await readdir(FIXTURES))
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => name.slice(0, -SUFFIX.length))
    .sort();

/**
 * Makes a data folder as the present code does, with something of everything in it, and keeps it under this name.
 * Answers how large it is, bytes.
 */
export async function keepDataFolder(dataDir: string, name: string): Promise<number> {
  const first = await startOn(dataDir);
  await live(first);
  await first.stop();
  // What a start changes has settled when it is read.
  const second = await startOn(dataDir);
  const paths = await pathsOf(second);
  const reads: Read[] = [];
  const token = await signIn(second);
  for (const path of paths) reads.push({ path, body: await read(second, path, token) });
  await second.stop();
  for (const mock of ['built-agent', 'built-plugins'])
    rmSync(join(dataDir, mock), { recursive: true, force: true });
  writeFileSync(join(dataDir, READS), JSON.stringify(reads));
  const file = join(FIXTURES, name + SUFFIX);
  await packFolder(dataDir, file);
  return statSync(file).size;
}

/** Unpacks a kept data folder; answers what was read of it when it was made. */
export async function unpackDataFolder(name: string, dataDir: string): Promise<Read[]> {
  const files = extract();
  const unpacking = (async () => {
    for await (const entry of files) {
      const path = join(dataDir, entry.header.name);
      if (entry.header.type === 'directory') await mkdir(path, { recursive: true, mode: 0o700 });
      else {
        await mkdir(dirname(path), { recursive: true });
        if (entry.header.type === 'symlink') await symlink(entry.header.linkname ?? '', path);
        else await writeFile(path, await buffer(entry), { mode: entry.header.mode });
      }
      entry.resume();
    }
  })();
  const window = { params: { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG } };
  await pipeline(createReadStream(join(FIXTURES, name + SUFFIX)), createZstdDecompress(window), files);
  await unpacking;
  const reads = JSON.parse(readFileSync(join(dataDir, READS), 'utf8')) as Read[];
  return reads.map(({ path, body }) => ({ path, body: steady(body) }));
}

/** Signs in with the password, as the owner. */
export async function signIn(test: TestCloud): Promise<string> {
  const { status, body } = await test.call('POST', 'auth/local', { body: OWNER });
  if (status !== 200) throw new Error(`The owner cannot sign in: ${JSON.stringify(body)}`);
  return body.token;
}

/** What a path answers, without what differs from start to start. */
export async function read(test: TestCloud, path: string, token: string): Promise<unknown> {
  const { status, body } = await test.call('GET', path, { token });
  if (status !== 200) throw new Error(`${path} answers ${status}: ${JSON.stringify(body)}`);
  return steady(body);
}

function steady(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(steady);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !VOLATILE.has(key))
      .map(([key, one]) => [key, steady(one)]),
  );
}

/** Something of everything: what a workgroup can have, a device that sends, a role, a token, settings, a ticket. */
async function live(test: TestCloud): Promise<void> {
  const { workgroups, users, postgres, jobs } = test.cloud.features;
  const owner = await users.userByEmail(OWNER.email);
  await workgroups.ensure({ name: WORKGROUP, displayName: 'Sonne & Söhne' });
  await workgroups.setMember(WORKGROUP, owner?.id ?? '', { role: 'owner' });
  await fill(test, WORKGROUP);
  // Nobody is asked for its keys when the folder is opened.
  await postgres.query(
    `update identity_providers set refreshed_at = '2999-01-01', config = jsonb_set(config, '{issuer}', '"https://idp.invalid"')`,
  );
  const token = await signIn(test);
  const agent = await connectAgent(test, WORKGROUP, 'Dach Süd');
  const began = Date.UTC(2026, 5, 1);
  await agent.send([
    {
      table: 'inverters',
      source: 'inv-01',
      fields: [
        { name: 'power', type: 'decimal', units: 'W' },
        { name: 'count', type: 'integer' },
        { name: 'mode', type: 'keyword' },
        { name: 'on', type: 'bool' },
      ],
      rows: Array.from({ length: EVENTS }, (_, at) => [
        began + at * 60_000,
        at / 4,
        at,
        `läuft ${at % 7}`,
        at % 2,
      ]),
    },
    {
      table: 'wide',
      source: 'logger',
      fields: Array.from({ length: WIDE }, (_, at) => ({ name: `n${at}`, type: 'decimal' as const })),
      rows: [[began, ...Array.from({ length: WIDE }, (_, at) => at + 0.5)]],
    },
  ]);
  await agent.acknowledged();
  await agent.leave();
  const make = async (method: string, path: string, body?: object) => {
    const reply = await test.call(method, path, { token, body });
    if (reply.status !== 200)
      throw new Error(`${path} answers ${reply.status}: ${JSON.stringify(reply.body)}`);
  };
  await make('POST', `lookupTables/${WORKGROUP}`, {
    code: 'states',
    name: 'Zustände',
    fields: [{ code: 'label', name: 'Text', type: 'String' }],
    values: [{ value: '1', fields: { label: 'läuft' } }],
  });
  await make('POST', `roles/${WORKGROUP}`, { name: 'Crew B' });
  await make('POST', `opsteam/workgroups/${WORKGROUP}/export`);
  await jobs.idle({ name: 'long-action' });
}

/** All that is compared. */
async function pathsOf(test: TestCloud): Promise<string[]> {
  const token = await signIn(test);
  const devices = (await test.call('GET', `devices/${WORKGROUP}`, { token })).body as { id: string }[];
  return [
    'orgs',
    `devices/${WORKGROUP}`,
    ...devices.flatMap(({ id }) =>
      ['', '/certificateInfo', '/completeness', '/quarantine', '/sources'].map(
        (part) => `devices/${WORKGROUP}/${id}${part}`,
      ),
    ),
    ...['members', 'roles', 'settings', 'api-tokens', 'device-groups', 'access-control', 'idp', 'mfa'].map(
      (part) => (part === 'roles' ? `roles/${WORKGROUP}` : `orgs/${WORKGROUP}/${part}`),
    ),
    `lookupTables/${WORKGROUP}`,
    `tables/${WORKGROUP}`,
    `tables/${WORKGROUP}/inverters`,
    `tables/${WORKGROUP}/inverters/search?rows=${EVENTS}`,
    `tables/${WORKGROUP}/wide/search`,
    `tables/${WORKGROUP}/meters/search`,
    'settings',
    'opsteam/tickets',
    'opsteam/workgroups',
  ];
}

async function packFolder(folder: string, file: string): Promise<void> {
  const tar = pack();
  const compress = createZstdCompress({
    params: {
      [constants.ZSTD_c_compressionLevel]: 19,
      [constants.ZSTD_c_windowLog]: WINDOW_LOG,
      [constants.ZSTD_c_enableLongDistanceMatching]: 1,
    },
  });
  const written = pipeline(tar, compress, createWriteStream(file));
  for (const entry of (await readdir(folder, { recursive: true, withFileTypes: true })).sort()) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1);
    if (entry.isDirectory()) tar.entry({ name, type: 'directory' });
    else if (entry.isSymbolicLink()) tar.entry({ name, type: 'symlink', linkname: await readlink(path) });
    else if (entry.isFile()) tar.entry({ name, mode: 0o600 }, await readFile(path));
  }
  tar.finalize();
  await written;
}
