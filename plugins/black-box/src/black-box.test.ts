import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { freemem, loadavg, tmpdir, totalmem, uptime } from 'node:os';
import { dirname, join } from 'node:path';
import { runCaptured } from '@albedo/plugin-kit/testing/run-captured';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { blackBoxPlugin } from './black-box.plugin.ts';
import { cpuShare, MachineFacts } from './machine-facts.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-black-box-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};

async function run(...args: string[]) {
  const { code, err } = await runCaptured(blackBoxPlugin, args);
  return { code, err };
}

test('this machine is written down, and its numbers agree with what the runtime says', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await run('log', folder, '--broker', `localhost:${port}`)).toEqual({ code: 0, err: '' });
  server.close();
  const [header = '', line = ''] = readFileSync(
    join(folder, 'black_box/Standalone/latest.csv'),
    'utf8',
  ).split('\n');
  const names = header.split(',').map((one) => one.replace(/\(.*/, ''));
  const cells = line.split(',');
  const value = (name: string) => cells[names.indexOf(name)] ?? '';
  expect(Number(value('CPU usage'))).toBeGreaterThanOrEqual(0);
  expect(Number(value('CPU usage'))).toBeLessThanOrEqual(100);
  expect(Number(value('DISK usage'))).toBeGreaterThan(0);
  expect(Math.abs(Number(value('MEM usage')) - (1 - freemem() / totalmem()) * 100)).toBeLessThan(15);
  expect(Number(value('Uptime'))).toBeCloseTo(uptime() / 3600, 1);
  expect(value('5 Minute Weighted Load Average')).not.toBe('');
  expect(Number.isFinite(loadavg()[1])).toBe(true);
  expect([value('Broker connection'), value('Gateway connection')]).toEqual(['good', 'no attempt']);
});

test('a broker that is away makes it ask for the gateway', async () => {
  await run('log', folder, '--broker', 'localhost:1');
  expect(readFileSync(join(folder, 'black_box/Standalone/latest.csv'), 'utf8')).toMatch(
    /,failed,(good|failed|no attempt),/,
  );
});

test('what Linux says is read as its manual has it', () => {
  put('proc/stat', 'cpu  100 0 50 800 50 0 0 0 0 0\ncpu0 1 0 0 0 0 0 0 0\ncpu1 1 0 0 0 0 0 0 0\n');
  put('proc/meminfo', 'MemTotal:  1000 kB\nMemAvailable:  250 kB\nSwapTotal:  0 kB\nSwapFree:  0 kB\n');
  put('proc/loadavg', '9.00 3.00 1.00 1/99 1\n');
  put('proc/uptime', '7200.5 1\n');
  put(
    'proc/net/route',
    'Iface\tDestination\tGateway\tFlags\neth0\t0000A8C0\t00000000\t0001\neth0\t00000000\t0101A8C0\t0003\n',
  );
  put('proc/42/cmdline', '/usr/bin/node\0/usr/lib/albedo/agent.mjs\0run\0');
  put('sys/class/thermal/thermal_zone0/type', 'battery');
  put('sys/class/thermal/thermal_zone0/temp', '90000\n');
  put('sys/class/thermal/thermal_zone1/type', 'cpu-thermal');
  put('sys/class/thermal/thermal_zone1/temp', '55800\n');
  const facts = new MachineFacts(join(folder, 'proc'), join(folder, 'sys'));
  expect(facts.memory()).toEqual({ memory: 75, swap: null });
  expect([facts.load(), facts.uptimeS(), facts.temperature()]).toEqual([1.5, 7200.5, 55.8]);
  expect([facts.gateway(), facts.processWith(['agent.mjs', 'run'])]).toEqual(['192.168.1.1', 42]);
  const before = facts.cpu();
  put('proc/stat', 'cpu  130 0 70 840 60 0 0 0 0 0\n');
  const now = facts.cpu();
  expect(before && now && cpuShare(before, now)).toBe(50);
});

test('a system that says nothing leaves everything empty', () => {
  const facts = new MachineFacts(join(folder, 'none'), join(folder, 'none'));
  expect([facts.cpu(), facts.uptimeS(), facts.load(), facts.temperature(), facts.gateway()]).toEqual(
    Array.from({ length: 5 }, () => null),
  );
  expect(facts.memory()).toEqual({ memory: null, swap: null });
});

test('a place or a disk that is none is reported', async () => {
  expect((await run('log', folder, '--broker', 'http://x')).err).toContain('is not of the form host:8883');
  const { code, err } = await run('log', folder, '--disk', join(folder, 'none'));
  expect([code, err]).toEqual([1, expect.stringContaining('disk: ENOENT')]);
});
