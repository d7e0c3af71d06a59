import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCaptured } from '@albedo/plugin-kit/testing/run-captured';
import { PGlite } from '@electric-sql/pglite';
import mysql from 'mysql2';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { sqlPlugin } from './sql.plugin.ts';

interface Peer {
  endpoint: string;
  user: string;
  exec(sql: string): Promise<unknown>;
  stop(): Promise<void>;
}

let folder = '';
let peer: Peer;

beforeAll(async () => {
  const url = process.env.ALBEDO_TEST_DATABASE_URL;
  peer = url ? await served(url) : await embedded();
}, 60_000);
afterAll(() => peer.stop());
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-sql-'));
  await peer.exec(
    'CREATE TABLE readings (id bigint, at timestamptz, inverter text, power numeric, on_grid boolean, counter bigint)',
  );
});
afterEach(async () => {
  await peer.exec('DROP TABLE readings');
  rmSync(folder, { recursive: true, force: true });
});

/** A database of its own on the server that the suite names. */
async function served(url: string): Promise<Peer> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  const name = `plugin_${randomUUID().replaceAll('-', '')}`;
  await admin.query(`CREATE DATABASE ${name}`);
  const { hostname, port, username } = new URL(url);
  const client = new pg.Client({ connectionString: url.replace(/\/[^/]*$/, `/${name}`) });
  await client.connect();
  return {
    endpoint: `postgres://${hostname}:${port}/${name}`,
    user: username,
    exec: (sql) => client.query(sql),
    async stop() {
      await client.end();
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.end();
    },
  };
}

/** PostgreSQL in this process behind a socket; it has one session, so one connection at a time. */
async function embedded(): Promise<Peer> {
  const db = await PGlite.create();
  const serve = (socket: Socket) => {
    let work = Promise.resolve();
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      work = work.then(async () => void socket.write(await db.execProtocolRaw(bytes)));
      work.catch(() => socket.destroy());
    });
  };
  const server = createServer(serve).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `postgres://127.0.0.1:${(server.address() as AddressInfo).port}/postgres`,
    user: 'postgres',
    exec: (sql) => db.exec(sql),
    async stop() {
      server.close();
      await db.close();
    },
  };
}

async function run(verb: 'log' | 'discover', query: string, ...more: string[]) {
  return runAt(peer.endpoint, peer.user, verb, query, ...more);
}

async function runAt(endpoint: string, user: string, verb: string, query: string, ...more: string[]) {
  const file = join(folder, 'query.sql');
  writeFileSync(file, query);
  const places = [verb, endpoint, file, ...(verb === 'log' ? [join(folder, 'logs')] : [])];
  const environment = { ALBEDO_PLUGIN_PASSWORD: 'albedo' };
  return runCaptured(sqlPlugin, [...places, '--user', user, ...more], { environment });
}

const lines = (path: string) =>
  readFileSync(join(folder, 'logs', path, 'latest.csv'), 'utf8')
    .trimEnd()
    .split('\n');
const cells = (line = '') => line.split(',').slice(1).join(',');
const written = (path: string) => lines(path).slice(1).map(cells);
const insert = (...rows: string[]) => peer.exec(`INSERT INTO readings VALUES ${rows.join(', ')}`);

const QUERY = 'SELECT id, at, inverter, power, on_grid, counter FROM readings;';
const BY_ID = ['--watermark', 'id', '--time', 'at', '--table', 'solar', '--source', 'roof/{inverter}'];

test('rows go to their source at their time, with all digits and by the types of the database', async () => {
  await insert(
    "(1, '2026-03-01 10:15:00+00', 'east', 4200.5, true, 9007199254740993)",
    "(2, '2026-03-01 10:15:05+02', '../west', NULL, false, 7)",
  );
  expect(await run('log', QUERY, ...BY_ID)).toEqual({ code: 0, err: '', out: '' });
  const [header, east = ''] = lines('solar/roof/east');
  expect(header).toBe('# Datetime(date),id(integer),power(decimal),on_grid(bool),counter(integer)');
  expect(cells(east)).toBe('1,4200.5,1,9007199254740993');
  expect(Date.parse(east.split(',')[0] ?? '')).toBe(Date.parse('2026-03-01T10:15:00Z'));
  expect(written('solar/roof/..-west')).toEqual(['2,,0,7']);
});

test('no row is read twice and none is missed, also where several have one watermark and more come later', async () => {
  const row = (id: number, power: number) => `(${id}, '2026-03-01 10:15:00+00', 'east', ${power}, true, 1)`;
  await insert(row(1, 10), row(2, 20), row(2, 21));
  for (let again = 0; again < 2; again++) await run('log', QUERY, ...BY_ID);
  await insert(row(2, 22), row(3, 30));
  for (let again = 0; again < 2; again++) await run('log', QUERY, ...BY_ID);
  const powers = written('solar/roof/east').map((line) => line.split(',')[1]);
  expect(powers.toSorted()).toEqual(['10', '20', '21', '22', '30']);
});

test('a time of writing with microseconds is a watermark, and a long table is read page by page', async () => {
  await peer.exec(
    "INSERT INTO readings SELECT n, timestamptz '2026-03-01 10:00:00+00' + n * interval '7 microseconds', 'east', n, true, n FROM generate_series(1, 1234) n",
  );
  const more = ['--watermark', 'at', '--time', 'at', '--table', 'solar', '--source', 'roof'];
  for (let again = 0; again < 2; again++) await run('log', QUERY, ...more);
  await insert("(9999, '2026-03-01 10:00:00.008639+00', 'east', 1, true, 1)");
  await run('log', QUERY, ...more);
  const ids = written('solar/roof').map((line) => line.split(',')[0]);
  expect([ids.length, new Set(ids).size, ids.at(-1)]).toEqual([1235, 1235, '9999']);
}, 30_000);

test('the first reading begins where it is told, and discover remembers nothing', async () => {
  await insert("(1, now(), 'east', 1, true, 1)", "(2, now(), 'east', 2, true, 1)");
  const more = [...BY_ID, '--start', '2'];
  for (let again = 0; again < 2; again++) {
    expect((await run('discover', QUERY, ...more)).out).toMatch(/id\(integer\) +2\n/);
  }
  await run('log', QUERY, ...more);
  expect(written('solar/roof/east').map((line) => line.split(',')[0])).toEqual(['2']);
});

test('the server keeps a query from writing', async () => {
  await insert("(1, now(), 'east', 1, true, 1)");
  await peer.exec(
    'CREATE FUNCTION wipe() RETURNS bigint LANGUAGE sql AS $$ DELETE FROM readings; SELECT 1::bigint $$',
  );
  const { code, err } = await run('log', 'SELECT wipe() AS id');
  await peer.exec('DROP FUNCTION wipe()');
  expect([code, err]).toEqual([1, expect.stringContaining('read-only transaction')]);
  const { out } = await run('discover', 'SELECT count(*) AS rows FROM readings');
  expect(out).toMatch(/rows\(integer\) +1\n/);
});

test.each([
  ['DELETE FROM readings', [], 'begins with neither SELECT nor WITH'],
  ['SELECT 1; DELETE FROM readings', [], 'without a semicolon'],
  ['SELECT 1 -- x', [], 'no comments'],
  ['SELECT 1', ['--table', '../x'], 'must be a name'],
  ['SELECT 1', ['--start', '5'], 'it needs a watermark'],
])('%s with %j is refused', async (query, more, message) => {
  const { code, err } = await run('log', query, ...more);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});

test('what the database refuses, and one that is not there, are reported', async () => {
  expect((await run('log', 'SELECT nothing FROM readings')).err).toContain('"nothing" does not exist');
  expect((await runAt('mysql://127.0.0.1:1/a', 'x', 'log', 'SELECT 1')).err).toContain('127.0.0.1:1/a: ');
  expect((await runAt('mssql://127.0.0.1:1/a', 'x', 'log', 'SELECT 1')).err).toContain('127.0.0.1:1/a: ');
  expect((await runAt('oracle://h/a', 'x', 'log', 'SELECT 1')).err).toContain('is not of the form');
});

/** The server's side of mysql2, which its types leave out. */
interface ScriptedServer {
  _server: Server;
  listen(port: number, host: string): void;
  close(): void;
  on(event: 'connection', listener: (connection: ScriptedConnection) => void): void;
}
interface ScriptedConnection {
  sequenceId: number;
  serverHandshake(options: object): void;
  on(event: string, listener: (sql: string) => void): void;
  writeTextResult(rows: object[], columns: object[]): void;
  writeOk(): void;
}

test('MySQL is asked within a transaction that only reads, by its own quotes, and its rows become records', async () => {
  const asked: string[] = [];
  const server = mysql.createServer(() => {}) as unknown as ScriptedServer;
  server.on('connection', (own) => {
    own.serverHandshake({
      protocolVersion: 10,
      serverVersion: '8.4.0',
      connectionId: 1,
      statusFlags: 2,
      characterSet: 33,
      capabilityFlags: 0xff_ff_ff ^ 0x800,
    });
    own.on('query', (sql) => {
      own.sequenceId = 1;
      asked.push(sql);
      const column = (name: string, columnType: number) => ({
        catalog: 'def',
        schema: '',
        table: '',
        orgTable: '',
        name,
        orgName: name,
        characterSet: 33,
        columnLength: 20,
        columnType,
        flags: 0,
        decimals: 0,
      });
      if (/^SELECT/.test(sql)) {
        own.writeTextResult(
          [{ id: '5', power: '17.5', albedo_watermark: '5' }],
          [column('id', 8), column('power', 246), column('albedo_watermark', 253)],
        );
      } else own.writeOk();
    });
    own.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server._server, 'listening');
  const { port } = server._server.address() as AddressInfo;
  try {
    const more = ['--watermark', 'id', '--table', 'meter', '--source', 'm'];
    const done = await runAt(
      `mariadb://127.0.0.1:${port}/scada`,
      'x',
      'log',
      'SELECT id, power FROM r',
      ...more,
    );
    expect(done).toEqual({ code: 0, err: '', out: '' });
    expect(written('meter/m')).toEqual(['5,17.5']);
    expect(asked).toEqual([
      'START TRANSACTION READ ONLY',
      'SELECT q.*, CAST(q.`id` AS CHAR) AS albedo_watermark FROM (SELECT id, power FROM r) AS q WHERE q.`id` IS NOT NULL ORDER BY q.`id` LIMIT 500',
      'ROLLBACK',
    ]);
  } finally {
    server.close();
  }
});
