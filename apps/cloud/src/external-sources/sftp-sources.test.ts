import { generateKeyPairSync } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { sftpFolder } from '@albedo/contract/external-sources/external-sources.schema';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { OutsideFetch } from '../outbound/outside-fetch.ts';
import { SOURCES, SourceCloud } from '../testing/source-cloud.ts';
import { inTime } from './in-time.ts';
import { SftpReader } from './sftp-reader.ts';
import { LINK, SftpTestServer } from './sftp-server.test-kit.ts';

const server = new SftpTestServer();
let cloud: SourceCloud;

beforeAll(async () => {
  await server.start();
  cloud = await SourceCloud.start();
});
afterAll(async () => {
  await cloud.stop();
  await server.stop();
});
beforeEach(() => {
  server.files.clear();
  server.read.length = 0;
});

const mapping = (table: string) => ({
  table,
  source: 'logger',
  timeColumn: 'Datum',
  timeFormat: 'dmy',
  timezone: 'Europe/Berlin',
  fields: [{ column: 'Leistung', name: 'AC Power', units: 'kW', decimal: ',' }],
});
const folder = (name: string, table: string, change: object = {}, sftp: object = {}) => ({
  name,
  kind: 'sftp',
  format: 'csv',
  secret: server.password,
  sftp: { address: server.address, user: server.user, folder: '/out', files: '*.csv*', ...sftp },
  mapping: mapping(table),
  ...change,
});
const searched = async (table: string) =>
  (await cloud.ask('GET', `tables/main/${table}/search?sort=event_time`)).body as {
    totalRecords: number;
    records: Record<string, unknown>[];
  };

/** As a logger writes it: what it is above the names, units below them. */
const day = (date: string, ...powers: string[]) =>
  ['Anlage: Süddach;;', 'Seriennummer: 4711;;', '', 'Datum;Leistung;Ertrag', ';kW;kWh']
    .concat(powers.map((power, i) => `${date} ${10 + i}:00;${power};1,5`))
    .join('\r\n');

test('a folder is tried, its key is shown, and each of its files is read once', async () => {
  server.put('a.csv', Buffer.from(day('01.06.2026', '1,5', '2,5', 'x'), 'latin1'));
  const tried = await cloud.ask('POST', `${SOURCES}/preview`, folder('Tried', 'tried'));
  expect(tried.status, JSON.stringify(tried.body)).toBe(200);
  expect(tried.body).toMatchObject({
    hostKey: server.hostKey,
    file: 'a.csv',
    files: [{ name: 'a.csv', state: 'new' }],
    columns: ['Datum', 'Leistung', 'Ertrag'],
    rows: [['01.06.2026 10:00', '1,5', '1,5'], expect.anything(), expect.anything()],
    timeColumn: 'Datum',
    sample: [{ at: Date.UTC(2026, 5, 1, 8), values: { 'AC Power': 1.5 } }, expect.anything()],
    faults: [
      { record: 8, reason: 'number', text: 'Leistung: x' },
      { record: 8, reason: 'empty' },
    ],
  });
  const kinds = tried.body.profiles.map(({ kind, units }: Record<string, unknown>) => [kind, units]);
  expect(kinds[1]).toEqual(['number', 'kW']);
  expect((await cloud.ask('GET', 'tables/main')).body).not.toContain('tried');

  const made = await cloud.ask('POST', SOURCES, folder('Folder', 'folder'));
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  expect(JSON.stringify(made.body)).not.toContain(server.password);
  const ran = await cloud.run(made.body._id);
  expect(ran).toMatchObject({ lastEvents: 2, sftp: { hostKey: server.hostKey } });
  expect((await searched('folder')).records.map((row) => row['AC Power'])).toEqual([1.5, 2.5]);

  // Nothing is new; then one grows by a line, as loggers add to the file of a day.
  server.read.length = 0;
  expect((await cloud.run(made.body._id)).lastEvents).toBe(0);
  expect(server.read).toEqual([]);
  server.put('a.csv', day('01.06.2026', '1,5', '2,5', '3,5'), { mtime: 1_780_000_600 });
  server.put('b.csv.gz', gzipSync(day('02.06.2026', '7')));
  server.put('c.txt', day('03.06.2026', '7'));
  expect((await cloud.run(made.body._id)).lastEvents).toBe(2);
  expect(server.read.toSorted()).toEqual(['a.csv', 'b.csv.gz']);
  const list = await cloud.runs(made.body._id);
  expect(list.map(({ by, stored, refused, isFailed }) => ({ by, stored, refused, isFailed }))).toEqual([
    { by: 'person', stored: 2, refused: 0, isFailed: false },
    { by: 'person', stored: 0, refused: 0, isFailed: false },
    { by: 'person', stored: 2, refused: 1, isFailed: false },
  ]);
  expect(list[0]?.files.map(({ name, stored, error }) => [name, stored, error])).toEqual([
    ['b.csv.gz', 1, null],
    ['a.csv', 1, null],
  ]);
  const entries = (await cloud.audit()).filter(({ entity }) => String(entity).startsWith('Folder'));
  expect(entries.map(({ action }) => action)).toEqual(expect.arrayContaining(['create', 'run', 'host-key']));
  expect(JSON.stringify(await cloud.audit())).not.toContain(server.password);

  // With another mapping everything is read again, and what it says replaces what was there.
  const other = mapping('folder');
  const [field] = other.fields;
  const changed = { ...other, fields: [{ ...field, factor: 1000 }] };
  await cloud.ask(
    'PUT',
    `${SOURCES}/${made.body._id}`,
    folder('Folder', 'folder', { mapping: changed, device: ran.device }),
  );
  expect((await cloud.run(made.body._id)).lastEvents).toBe(4);
  expect((await searched('folder')).records.map((row) => row['AC Power'])).toEqual([1500, 2500, 3500, 7000]);
}, 60_000);

test('a file that is still being written waits, and what is no file of the folder is left alone', async () => {
  server.put('half.csv', day('01.06.2026', '1'), { isGrowing: true });
  server.put('new.csv.part', day('01.06.2026', '1'));
  server.put('.hidden.csv', day('01.06.2026', '1'));
  server.put('link.csv', '/etc/passwd', { mode: LINK });
  server.put('../up.csv', day('01.06.2026', '1'));
  const { body: made } = await cloud.ask('POST', SOURCES, folder('Growing', 'growing', {}, { files: '*' }));
  const first = await cloud.run(made._id);
  // That is no failure.
  expect(first).toMatchObject({ lastEvents: 0, lastError: null });
  expect((await cloud.runs(made._id))[0]?.error).toContain('still being written');
  server.put('half.csv', day('01.06.2026', '1', '2'));
  expect((await cloud.run(made._id)).lastEvents).toBe(2);
  expect([...new Set(server.read)]).toEqual(['half.csv']);
  const tried = await cloud.ask(
    'POST',
    `${SOURCES}/preview`,
    folder('Tried', 'tried', { of: made._id }, { files: '*' }),
  );
  expect(tried.body.files).toMatchObject([{ name: 'half.csv', state: 'read' }]);
});

test('a file that cannot be read says why, and does not keep the others from being read', async () => {
  server.put('a.csv', Buffer.from([0x50, 0x4b, 3, 4, 1, 2, 3, 4]));
  server.put('b.csv', Buffer.alloc(21_000_000, 'x'), { mtime: 1_780_000_001 });
  server.put('c.csv', day('01.06.2026', '1'), { mtime: 1_780_000_002 });
  const { body: made } = await cloud.ask('POST', SOURCES, folder('Damaged', 'damaged'));
  const ran = await cloud.run(made._id);
  expect(ran.lastEvents).toBe(1);
  expect(ran.lastError).toContain('a.csv: The ZIP archive is not read');
  const [newest] = await cloud.runs(made._id);
  expect(newest?.files.map(({ name, error }) => [name, error])).toEqual([
    ['a.csv', expect.stringContaining('ZIP')],
    ['b.csv', 'It has more than 20 MB.'],
    ['c.csv', null],
  ]);
  // What cannot be read is not tried again until it changes.
  expect(await cloud.run(made._id)).toMatchObject({ lastEvents: 0, lastError: null });
});

test('a file that may not be read is told and tried again, and what follows it is read', async () => {
  server.put('a.csv', day('01.06.2026', '1'), { trouble: 'denied' });
  server.put('b.csv', day('02.06.2026', '1'), { trouble: 'not closed' });
  const { body: made } = await cloud.ask('POST', SOURCES, folder('Denied', 'denied'));
  expect(await cloud.run(made._id)).toMatchObject({
    lastEvents: 1,
    lastError: 'a.csv: It could not be read: this user may not.',
  });
  server.put('a.csv', day('01.06.2026', '1'));
  expect(await cloud.run(made._id)).toMatchObject({ lastEvents: 1, lastError: null });
});

test.each(['cut', 'nonsense'] as const)(
  'a connection that ends while a file is read (%s) fails the run, and the file is read later',
  async (trouble) => {
    server.put('a.csv', day('01.06.2026', '1'), { trouble });
    const { body: made } = await cloud.ask('POST', SOURCES, folder(`Ended ${trouble}`, `ended_${trouble}`));
    const failed = await cloud.run(made._id);
    expect(failed.lastError).toContain('A file could not be read: the connection ended.');
    expect((await cloud.runs(made._id))[0]?.isFailed).toBe(true);
    server.put('a.csv', day('01.06.2026', '1'));
    expect(await cloud.run(made._id)).toMatchObject({ lastEvents: 1, lastError: null });
  },
);

test('a server that lets us in and answers nothing is left in time', async () => {
  server.isSilent = true;
  try {
    const { address, user } = { address: server.address, user: server.user };
    const wanted = { ...sftpFolder.parse({ address, user, folder: '/out' }) };
    const gate = new OutsideFetch({ publicUrl: () => 'http://localhost', networks: ['127.0.0.0/8'] });
    const open = (cut: AbortSignal) => SftpReader.open(gate, wanted, server.password, cut);
    const listed = inTime({ host: 'the server', open, cutMs: 1500 }, (reader) => reader.list());
    await expect(listed).rejects.toThrow('the server did not answer in time.');
    const never = inTime(
      { host: 'it', open: () => new Promise<SftpReader>(() => undefined), cutMs: 20 },
      () => Promise.resolve(),
    );
    await expect(never).rejects.toThrow('it did not answer in time.');
  } finally {
    server.isSilent = false;
  }
});

test('another key of the server ends the reading before the password is told, until somebody accepts it', async () => {
  server.put('a.csv', day('01.06.2026', '1'));
  const { body: made } = await cloud.ask('POST', SOURCES, folder('Pinned', 'pinned'));
  const firstKey = (await cloud.run(made._id)).sftp?.hostKey;
  await server.stop();
  await server.start();
  expect(server.hostKey).not.toBe(firstKey);
  const refused = await cloud.run(made._id);
  expect(refused.lastError).toContain(
    `The key of 127.0.0.1:${server.port} is another one now: ${server.hostKey}`,
  );
  expect(refused.sftp?.hostKey).toBe(firstKey);
  expect((await cloud.runs(made._id))[0]).toMatchObject({
    isFailed: true,
    stored: 0,
    error: refused.lastError,
  });
  const accepted = folder(
    'Pinned',
    'pinned',
    { device: refused.device, secret: undefined },
    { hostKey: server.hostKey },
  );
  expect((await cloud.ask('PUT', `${SOURCES}/${made._id}`, accepted)).status).toBe(200);
  expect((await cloud.run(made._id)).lastError).toBeNull();
});

test('a save that knows of no key keeps the one that was accepted; only another machine or a word forgets it', async () => {
  server.put('a.csv', day('01.06.2026', '1'));
  const { body: made } = await cloud.ask('POST', SOURCES, folder('Kept', 'kept'));
  const { device } = await cloud.run(made._id);
  const save = async (change: object = {}, sftp: object = {}) => {
    const wanted = folder('Kept', 'kept', { device, secret: server.password, ...change }, sftp);
    return (await cloud.ask('PUT', `${SOURCES}/${made._id}`, wanted)).body.sftp?.hostKey;
  };
  expect(await save()).toBe(server.hostKey);
  expect(await save({}, { folder: '/elsewhere' })).toBe(server.hostKey);
  const other = `SHA256:${'a'.repeat(43)}`;
  expect(await save({}, { hostKey: other })).toBe(other);
  // A look with the saved password asks for the saved key, too.
  const look = (change: object = {}) =>
    cloud.ask(
      'POST',
      `${SOURCES}/preview`,
      folder('Kept', 'kept', { of: made._id, secret: undefined, ...change }),
    );
  expect((await look()).body.message).toContain('is another one now');
  expect((await look({ forgetHostKey: true })).body.hostKey).toBe(server.hostKey);
  expect(await save({ forgetHostKey: true })).toBeNull();
  await cloud.run(made._id);
  expect(await save({}, { address: server.address.replace('127.0.0.1', '127.0.0.2') })).toBeNull();
});

test('a private key signs in, and a wrong one, a wrong password and a wrong folder say so', async () => {
  const pair = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  server.key = pair.privateKey;
  server.put('a.csv', day('01.06.2026', '1'));
  const look = async (change: object, sftp: object = {}) =>
    (await cloud.ask('POST', `${SOURCES}/preview`, folder('Tried', 'tried', change, sftp))).body;
  const withKey = { signIn: 'key' };
  expect((await look({ secret: pair.privateKey }, withKey)).events).toBe(1);
  expect((await look({ secret: 'no key at all' }, withKey)).message).toContain('this is no private key');
  expect((await look({ secret: 'wrong' })).message).toContain('does not let this user in with that password');
  expect((await look({}, { folder: '/elsewhere' })).message).toContain('there is no such folder');
});

test.each([
  ['sftp://10.1.2.3', 'not a public address'],
  ['sftp://169.254.169.254', 'not a public address'],
  ['sftp://[::1]', 'not a public address'],
  ['sftp://0x0a000001', 'not a public address'],
])('%s is not read', async (address, why) => {
  const tried = await cloud.ask('POST', `${SOURCES}/preview`, folder('Tried', 'tried', {}, { address }));
  expect(tried).toMatchObject({ status: 422, body: { error: 'external_source.unreachable' } });
  expect(tried.body.message).toContain(why);
});

test('the secret of a folder is not sent to another machine', async () => {
  server.put('a.csv', day('01.06.2026', '1'));
  const { body: made } = await cloud.ask('POST', SOURCES, folder('Safe', 'safe'));
  const elsewhere = { address: server.address.replace('127.0.0.1', '127.0.0.2') };
  const moved = folder('Safe', 'safe', { secret: undefined, device: made.device }, elsewhere);
  const refused = await cloud.ask('PUT', `${SOURCES}/${made._id}`, moved);
  expect(refused.body.issues?.[0]).toMatchObject({ path: 'secret', issue: 'issue.secret_again' });
});
