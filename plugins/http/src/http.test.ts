import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runPlugin } from '@albedo/plugin-kit/run-plugin';
import { runCaptured } from '@albedo/plugin-kit/testing/run-captured';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { httpPlugin } from './http.plugin.ts';

let folder = '';
let server: Server;
let url = '';
let answer: RequestListener = () => {};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-http-'));
  server = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/values`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  rmSync(folder, { recursive: true, force: true });
});

const page =
  (body: string, type = 'text/plain', status = 200): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': type }).end(body);

async function log(config: string, ...more: string[]) {
  const file = join(folder, 'config.csv');
  writeFileSync(file, config);
  const environment = { ALBEDO_PLUGIN_PASSWORD: 'pump-room-7' };
  const args = ['log', url, file, join(folder, 'logs'), ...more];
  const { code, err } = await runCaptured(httpPlugin, args, { environment });
  return { code, err };
}
const lines = (path: string) =>
  readFileSync(join(folder, 'logs', path, 'latest.csv'), 'utf8')
    .trimEnd()
    .split('\n');
const cells = (line = '') => line.split(',').slice(1).join(',');

const METERS = `
_rows, meters
_time, at
meter, {name}, AC Power, power.total, decimal, W
meter, {name}, Phase 2,  phases[1],   decimal, V, 0.1
`;

test('each row of a JSON page goes to its source at its time', async () => {
  answer = page(
    JSON.stringify({
      meters: [
        { name: 'east', at: 1_767_225_600, power: { total: 4200 }, phases: [2301, 2298] },
        { name: '../../west', at: '2026-01-01T00:00:05Z', power: { total: null }, phases: [0, 2310] },
      ],
    }),
    'application/json',
  );
  expect(await log(METERS)).toEqual({ code: 0, err: '' });
  const [header, east = ''] = lines('meter/east');
  expect(header).toBe('# Datetime(date),AC Power(decimal:W),Phase 2(decimal:V)');
  expect([Date.parse(east.split(',')[0] ?? ''), cells(east)]).toEqual([1_767_225_600_000, '4200,229.8']);
  expect(cells(lines('meter/..-..-west')[1])).toBe(',231');
  expect(readdirSync(join(folder, 'logs'))).toEqual(['meter']);
});

test('the last line of a CSV page with semicolons, and attributes and elements of XML', async () => {
  answer = page('Time;Power;State\n10:00;1;off\n10:05;42.5;on\n', 'text/csv');
  expect(await log('logger, a, Power, Power, decimal, kW\nlogger, a, State, State\n')).toEqual({
    code: 0,
    err: '',
  });
  expect(cells(lines('logger/a')[1])).toBe('42.5,on');
  answer = page('<?xml version="1.0"?><plant id="7"><inv sn="A1"><p unit="W">17</p></inv></plant>');
  const config = 'logger, b, Plant, plant.@id, integer\nlogger, b, Power, plant.inv.p.#text, decimal, W\n';
  expect(await log(config)).toEqual({ code: 0, err: '' });
  expect(cells(lines('logger/b')[1])).toBe('7,17');
});

test('a service writes a row that the page shows again only once', async () => {
  let at = 1_767_225_600;
  let asked = 0;
  answer = (request, response) => {
    asked++;
    page(JSON.stringify({ meters: [{ name: 'east', at, power: { total: at % 100 } }] }))(request, response);
  };
  const [config, file] = [join(folder, 'config.csv'), join(folder, 'service')];
  writeFileSync(config, METERS);
  writeFileSync(file, `endpoint,config_file,output_directory,frequency\n${url},${config},${folder}/logs,1\n`);
  const stop = new AbortController();
  const running = runPlugin(httpPlugin, ['service', file], stop.signal);
  await vi.waitFor(() => expect(asked).toBeGreaterThanOrEqual(2), 8000);
  at += 5;
  // The third answer is written before the service ends: what is under way then is given up.
  await vi.waitFor(() => expect(lines('meter/east').slice(1).map(cells)).toEqual(['0,', '5,']), 8000);
  stop.abort();
  await running;
}, 20_000);

test('user and password go along, and a page that wants others says so', async () => {
  answer = (request, response) => {
    const isKnown =
      request.headers.authorization === `Basic ${Buffer.from('plant:pump-room-7').toString('base64')}`;
    page('{"p":1}', 'application/json', isKnown ? 200 : 401)(request, response);
  };
  expect(await log('a, a, P, p, integer\n', '--user', 'plant')).toEqual({ code: 0, err: '' });
  expect(await log('a, a, P, p, integer\n')).toEqual({ code: 1, err: `${url}: HTTP 401\n` });
});

test.each<[string, RequestListener, string[], string]>([
  ['too large', page('x'.repeat(5000)), ['--max_size', '0.001'], 'larger than 1000 bytes'],
  ['no JSON', page('{"p":', 'application/json'), [], 'JSON'],
  ['without the values', page('{"q":1}', 'application/json'), [], 'has none of the values'],
  [
    'XML that means gigabytes',
    page('<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>', 'text/xml'),
    [],
    'entities of its own',
  ],
  [
    'XML without a floor',
    page(`${'<a>'.repeat(2000)}${'</a>'.repeat(2000)}`, 'text/xml'),
    [],
    'more than 60 levels',
  ],
  ['slow', () => {}, ['--timeout', '0.2'], 'no answer in time'],
])('a page that is %s is reported, and nothing is written', async (_, listener, more, message) => {
  answer = listener;
  const { code, err } = await log('a, a, P, p, integer\n', ...more);
  expect([code, err]).toEqual([1, expect.stringContaining(message)]);
  expect(readdirSync(folder)).not.toContain('logs');
});

test('what nobody serves, and a wrong configuration', async () => {
  expect((await log('a, a, P, p[, integer\n_row, x\n')).err).toMatch(
    /line 1: path: "p\["[\s\S]*line 2: there is no line "_row"/,
  );
  server.close();
  server.closeAllConnections();
  expect((await log('a, a, P, p, integer\n')).err).toContain('ECONNREFUSED');
});
