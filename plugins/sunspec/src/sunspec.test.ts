import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { runCaptured } from '@albedo/plugin-kit/testing/run-captured';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { sunspecPlugin } from './sunspec.plugin.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
let simulator: ChildProcess;
let port = '';
let folder = '';

beforeAll(async () => {
  const program = join(ROOT, 'apps/simulator/src/main.ts');
  simulator = spawn(process.execPath, [
    program,
    ...['serve', '--plant', 'riverside', '--port', '0', '--start', '2026-06-14T18:00:00Z'],
  ]);
  const [line] = await once(createInterface({ input: simulator.stdout as NodeJS.ReadableStream }), 'line');
  port = String(line).split(' ')[1] ?? '';
});
afterAll(() => void simulator.kill());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-sunspec-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The plugin as a process, as people and services run it. */
function start(...args: string[]): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args]);
}

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const child = start(...args);
  const texts = { out: '', err: '' };
  child.stdout?.on('data', (chunk) => {
    texts.out += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    texts.err += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, ...texts };
}

const lines = (...path: string[]) =>
  readFileSync(join(folder, ...path, 'latest.csv'), 'utf8')
    .trimEnd()
    .split('\n');

test('discover shows table, source, identity, models and values with their units', async () => {
  const { code, out } = await run('discover', '127.0.0.1', '1,100,110', '--port', port, '--delay', '0');
  expect(code).toBe(0);
  expect(out).toMatch(/^Table +solar\nSource +127\.0\.0\.1\/\d+\/1\nManufacturer +Borealis Power\n/);
  expect(out).toMatch(/^Models +1 103 160$/m);
  expect(out).toMatch(/^AC Power\(decimal:W\) +\d{4,5}$/m);
  expect(out).toMatch(/^DC Voltage 4\(decimal:V\) +\d+/m);
  expect(out).toMatch(/^Status\(keyword\) +(MPPT|Throttled)$/m);
  expect(out).toMatch(/^Table +meter$/m);
  expect(out).toMatch(/^Plane Irradiance\(decimal:W\/m²\) +\d+$/m);
  expect(out).not.toMatch(/AC Voltage 12|DC Energy/);
});

test('browse shows every model, with bare registers where nothing is known of it', async () => {
  const { code, out } = await run('browse', '127.0.0.1', '1', '--port', port, '--delay', '0');
  expect(code).toBe(0);
  expect(out).toMatch(/^Shown model +1, \d+ registers from 40004$/m);
  expect(out).toMatch(/^Registers from 2\(keyword\) +4[0-9a-f]{3}( [0-9a-f]{4}){7}$/m);
  expect(out).toMatch(/^Shown model +103 \(inverter\), 50 registers from \d+$/m);
  expect(out).toMatch(/^AC Voltage 12\(decimal:V\) +not measured$/m);
});

test('get is the older name of log, and a service may read more often than it writes', async () => {
  const at = ['127.0.0.1', '1', folder, '--port', port, '--delay', '0'];
  expect(await run('get', ...at)).toEqual({ code: 0, out: '', err: '' });
  expect(lines('solar', '127.0.0.1', port, '1')).toHaveLength(2);
  const header = 'endpoint,bus_addresses,port,delay,output_directory,frequency,sampling_rate';
  const row = `127.0.0.1,1,${port},0,${folder},2`;
  writeFileSync(join(folder, 'wrong'), `${header}\n${row},3\n`);
  const wrong = await run('service', join(folder, 'wrong'));
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('3 is outside 0.05 to 2 seconds')]);
  writeFileSync(join(folder, 'often'), `${header}\n${row},0.2\n`);
  const child = start('-vv', 'service', join(folder, 'often'));
  await vi.waitFor(() => expect(lines('solar', '127.0.0.1', port, '1').length).toBeGreaterThan(3), 15_000);
  child.kill();
  await once(child, 'close');
  const seconds = lines('solar', '127.0.0.1', port, '1')
    .slice(2)
    .map((line) => Date.parse(line.slice(0, 24)));
  for (const [at, second] of seconds.slice(1).entries())
    expect(second - (seconds[at] ?? 0)).toBeGreaterThanOrEqual(1000);
});

test('log writes one line for each device, under the names of the source map', async () => {
  writeFileSync(join(folder, 'map'), '127\\.0\\.0\\.1/[0-9]+/([0-9])$,inv-0\\1\n.*/110$,station\n');
  const at = ['127.0.0.1', '2-3,110', folder, '--port', port, '--delay', '0'];
  expect(await run('log', ...at, '--source_map', join(folder, 'map'))).toEqual({ code: 0, out: '', err: '' });
  expect(lines('solar/inv-02')).toHaveLength(2);
  expect(lines('solar/inv-03')[0]).toMatch(/^# Datetime\(date\),AC Power\(decimal:W\),.*,Status\(keyword\)/);
  expect(lines('weather/station')[1]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4},\d+,/);
});

test('a unit that does not answer is reported, the others are read, and the exit code is 1', async () => {
  const { code, err } = await run('log', '127.0.0.1', '77,1', folder, '--port', port, '--delay', '0');
  expect(code).toBe(1);
  expect(err).toBe(
    `127.0.0.1:${port} unit 77, holding 40000-40001: exception 11 (gateway target failed to respond)\n`,
  );
  expect(lines(`solar/127.0.0.1/${port}/1`)).toHaveLength(2);
});

test('the first failure ends the run when that is wanted', async () => {
  const at = ['127.0.0.1', '77,1', folder, '--port', port, '--delay', '0'];
  expect((await run('log', ...at, '--stop_on_any_command_fail')).code).toBe(1);
  expect(existsSync(join(folder, 'solar'))).toBe(false);
});

test('required models are read alone, and a missing one is an error that names it', async () => {
  const at = ['127.0.0.1', '1', '--port', port, '--delay', '0', '--required_models'];
  expect((await run('discover', ...at, '160')).out).not.toContain('AC Power');
  const { code, err } = await run('discover', ...at, '103,124');
  expect([code, err]).toEqual([1, `127.0.0.1:${port} unit 1: the device has no model 124\n`]);
});

test.each([
  [['discover', '127.0.0.1'], 'bus_addresses is missing'],
  [['discover', '127.0.0.1', '0-3'], 'bus addresses: 0-3 is outside 1 to 255'],
  [['discover', 'a b', '1'], 'endpoint: "a b" is no serial node'],
  [['discover', '127.0.0.1', '1', '--mode', 'udp'], 'mode: "udp" is none of tcp, rtu, enc'],
  [['discover', '127.0.0.1', '1', '--source_map', '/nowhere'], 'source map /nowhere: ENOENT'],
  [['log', '127.0.0.1', '1', '/tmp', 'more'], '"more" is one argument too many'],
  [['service', '/nowhere'], 'service file /nowhere: ENOENT'],
  [['fly'], 'there is no command "fly"'],
])('the command line %j is refused by name', async (args, message) => {
  const { code, err } = await runCaptured(sunspecPlugin, args, { signal: AbortSignal.abort() });
  expect(code).toBe(2);
  expect(err).toContain(`sunspec_albedo: ${message}`);
});

test('a service polls its rows, says what is wrong with the others, and ends in order', async () => {
  const file = join(folder, 'service');
  writeFileSync(
    file,
    `_name,endpoint,bus_addresses,output_directory,port,delay,flags,frequency
sun,127.0.0.1,1-2,${folder},${port},0,,1
bad,127.0.0.1,x,${folder},${port},0,,1
closed,127.0.0.1,1,${folder},1,0,,1
`,
  );
  const child = start('service', file);
  let err = '';
  child.stderr?.on('data', (chunk) => {
    err += chunk;
  });
  const path = `solar/127.0.0.1/${port}/2`;
  await vi.waitFor(() => expect(lines(path).length).toBeGreaterThan(2), { timeout: 10_000 });
  const second = await run('service', file);
  expect([second.code, second.err]).toEqual([2, expect.stringContaining('is already running as process')]);
  child.kill('SIGTERM');
  expect((await once(child, 'exit'))[0]).toBe(0);
  expect(err).toContain(`${file}, line 3: bus addresses: "x" is neither a number nor a range`);
  expect(err.match(/closed: 127\.0\.0\.1:1 unit 1.*ECONNREFUSED/g)).toHaveLength(1);
});
