import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runPlugin } from '@albedo/plugin-kit/run-plugin';
import { runCaptured } from '@albedo/plugin-kit/testing/run-captured';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readAsdu, readTime } from './asdu.ts';
import { iec104Plugin } from './iec104.plugin.ts';

/**
 * What a station sent that runs lib60870-C 2.4 (mz-automation), recorded on the wire after STARTDT and a general
 * interrogation: types 1, 3 (as a sequence), 5, 7, 9, 11 (as a sequence), 13 and 15 as the answer, then 30, 31, 34, 35 and
 * 36 of 2026-03-01T10:15:00.250Z.
 */
const RECORDED = `
68040b000000
680e0000020064010700010000000014
6812020002000102140001006400000169000081
680f04000200038214000100c800000201
680f060002000501140001002c01007b00
681208000200070114000100900100efbeadde00
68100a000200090114000100f4010000c000
68160c0002000b831400010058020018fc0019fc001afc40
681a0e0002000d0214000100a10f000040664300a20f0085eb474201
6812100002000f0114000100bc0200c01dfeff01
680e1200020064010a00010000000014
6815140002001e010300010064000000fa000f0a01031a
6815160002001f0103000100c8000001fa000f0a01031a
681718000200220103000100f40100002000fa000f0a01031a
68171a0002002301030001005802004d0000fa000f0a01031a
68191c000200240103000100a10f000080674300fa000f0a01031a
`
  .trim()
  .split('\n')
  .map((line) => Buffer.from(line, 'hex'));

let folder = '';
let server: Server;
let port = '';
/** Frames that the station got. */
let got: string[] = [];
let answer: (frame: string, socket: Socket) => void = () => {};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-iec104-'));
  got = [];
  answer = station(RECORDED);
  server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      for (let at = 0; at < bytes.length; at += (bytes[at + 1] ?? 0) + 2) {
        const frame = bytes.subarray(at, at + (bytes[at + 1] ?? 0) + 2).toString('hex');
        got.push(frame);
        answer(frame, socket);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = String((server.address() as AddressInfo).port);
});
afterEach(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const START_ACT = '680407000000';
const START_CON = Buffer.from('68040b000000', 'hex');
const TEST_ACT = '680443000000';
const INTERROGATION = /^680e0000....640106000100000000/;

/** Confirms the start, and answers the interrogation with these frames, cut at odd places. */
const station = (frames: Buffer[]) => (frame: string, socket: Socket) => {
  if (frame === START_ACT) socket.write(START_CON);
  if (!INTERROGATION.test(frame)) return;
  const all = Buffer.concat(frames.filter((one) => !one.equals(START_CON)));
  socket.write(all.subarray(0, 31));
  setTimeout(() => socket.write(all.subarray(31)), 20);
};

const CONFIG = `
relay, feeder, Closed,   100,    bool
relay, feeder, Trip,     105,    bool
relay, feeder, Breaker,  1/200,  integer, , , 0:between;1:open;2:closed;3:faulty
relay, feeder, Tap,      300,    integer
relay, feeder, Alarms,   400,    integer
relay, feeder, Load,     500,    decimal, %, 100
relay, feeder, Power,    600,    decimal, kW, 0.1
relay, feeder, Old,      602,    integer
relay, feeder, Energy,   700,    integer, kWh
relay, feeder, Voltage,  4001,   decimal, V
relay, feeder, Too much, 4002,   decimal, Hz
`;

async function run(verb: string, config: string, ...more: string[]) {
  const file = join(folder, 'config.csv');
  writeFileSync(file, config);
  const named = config === '' ? [] : ['--config_file', file];
  const places = [verb, '127.0.0.1', ...(verb === 'log' ? [folder] : []), '--port', port];
  return runCaptured(iec104Plugin, [...places, '--listen', '1', ...named, ...more]);
}

const rows = () =>
  readFileSync(join(folder, 'relay/feeder/latest.csv'), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line): [number, string] => {
      const [stamp = '', ...cells] = line.split(',');
      return [Date.parse(stamp), cells.join(',')];
    });

test('a station of another maker is asked for all it has; what its quality calls bad is empty', async () => {
  expect(await run('log', CONFIG)).toEqual({ code: 0, err: '', out: '' });
  const [, whole] = rows().at(-1) ?? [];
  expect(whole).toBe('1,,closed,-5,3735928559,-50,-100,,-123456,230.25,');
  expect(got[0]).toBe(START_ACT);
  expect(got[1]).toMatch(INTERROGATION);
  // After eight frames without an acknowledgement it tells that it has them.
  await vi.waitFor(() => expect(got).toContain('680401001000'));
});

test('a service writes each change at the time that the station gives it', async () => {
  const [config, file] = [join(folder, 'config.csv'), join(folder, 'service')];
  writeFileSync(config, CONFIG);
  writeFileSync(
    file,
    `endpoint,port,config_file,output_directory,frequency\n127.0.0.1,${port},${config},${folder},1\n`,
  );
  const stop = new AbortController();
  const running = runPlugin(iec104Plugin, ['service', file], stop.signal);
  const told = () => {
    try {
      return rows();
    } catch {
      return [];
    }
  };
  try {
    await vi.waitFor(() => expect(told().length).toBeGreaterThan(1), 8000);
  } finally {
    stop.abort();
    await running;
  }
  const [at, cells] = told()[0] ?? [];
  expect([at, cells]).toEqual([Date.parse('2026-03-01T10:15:00.250Z'), '0,,open,,,25,7.7,,,231.5,']);
}, 20_000);

test('browse lists what a station has as a configuration', async () => {
  const { code, out } = await run('browse', '');
  expect(code).toBe(0);
  expect(out).toContain('iec104, {ENDPOINT}/1, Object 100, 1/100, bool\n');
  expect(out).toContain('iec104, {ENDPOINT}/1, Object 4001, 1/4001, decimal\n');
});

test('a silent link is tested, and one that does not answer the test is ended', async () => {
  answer = (frame, socket) => {
    if (frame === START_ACT) socket.write(START_CON);
  };
  const { code, err } = await run('log', CONFIG, '--t1', '0.4', '--t3', '0.1', '--listen', '3');
  expect([code, err]).toEqual([1, `127.0.0.1:${port}: no answer in time\n`]);
  expect(got).toContain(TEST_ACT);
});

test.each([
  ['no frame', '3132333435363738', 'no frame of IEC 60870-5-104'],
  ['a length that none has', '68ff00000000', 'no frame of IEC 60870-5-104'],
  ['a number out of turn', '680e0600020064010700010000000014', 'frame 3 instead of 0'],
  ['an acknowledgement of what was never sent', '680401000800', '4 acknowledged, 1 sent'],
  ['objects that are not there', '680e000002000d7f1400010001000000', 'type 13 with 127 objects'],
  ['half a frame', '680e0000', 'the station has closed the connection'],
])('%s ends the link, and nothing is written', async (_, hex, message) => {
  answer = (frame, socket) => {
    if (frame === START_ACT) socket.write(START_CON);
    else if (INTERROGATION.test(frame)) socket.end(Buffer.from(hex, 'hex'));
  };
  const { code, err } = await run('log', CONFIG);
  expect([code, err]).toEqual([1, expect.stringContaining(message)]);
  expect(() => rows()).toThrow('ENOENT');
});

const UTC = { zone: 'UTC', isWinterAllYear: false };

test('damage at any place of what a station says ends as an error or as a value', () => {
  let refused = 0;
  for (const frame of RECORDED) {
    const asdu = frame.subarray(6);
    for (let at = 0; at < asdu.length; at++) {
      const broken = Buffer.from(asdu);
      broken[at] = (broken[at] ?? 0) ^ 0xff;
      for (const bytes of [broken, broken.subarray(0, at)]) {
        try {
          readAsdu(bytes, UTC);
        } catch (error) {
          expect((error as Error).message).toMatch(/ASDU|objects/);
          refused++;
        }
      }
    }
  }
  expect(refused).toBeGreaterThan(100);
});

test.each([
  ['fa000f0a01031a', Date.parse('2026-03-01T10:15:00.250Z')],
  ['fa008f0a01031a', null],
  ['fa000f0a1f021a', null],
  ['ffff0f0a01031a', null],
])('the time %s', (hex, at) => {
  expect(readTime(Buffer.from(hex, 'hex'), 0, UTC)).toBe(at);
});

/** 02:30 of the day on which Berlin has that hour twice, and noon of a summer's day. */
const [HOUR_TWICE, SUMMER_NOON] = ['0000 1e 02 19 0a 1a', '0000 00 0c 0f 07 1a'];
const withSummerBit = (time: string) => time.replace(/(?<=^.{8})./, '8');

test.each([
  ['the first of two hours', withSummerBit(HOUR_TWICE), false, '2026-10-25T00:30'],
  ['the second of two hours', HOUR_TWICE, false, '2026-10-25T01:30'],
  ['summer', withSummerBit(SUMMER_NOON), false, '2026-07-15T10:00'],
  ['summer without its bit', SUMMER_NOON, false, '2026-07-15T10:00'],
  ['winter time in summer', SUMMER_NOON, true, '2026-07-15T11:00'],
  ['winter time in autumn', HOUR_TWICE, true, '2026-10-25T01:30'],
  ['winter time that says summer', withSummerBit(SUMMER_NOON), true, '2026-07-15T10:00'],
])('the clock of a station in Berlin: %s', (_, time, isWinterAllYear, wanted) => {
  const at = readTime(Buffer.from(time.replaceAll(' ', ''), 'hex'), 0, {
    zone: 'Europe/Berlin',
    isWinterAllYear,
  });
  expect(new Date(at ?? 0).toISOString().slice(0, 16)).toBe(wanted);
});

test('three events of one second stay three, each with its own milliseconds', async () => {
  const event = (number: string, value: string, ms: string) =>
    Buffer.from(`6815${number}0002001e0103000100640000${value}${ms}0f0a01031a`, 'hex');
  answer = station([
    Buffer.from('680e0000020064010700010000000014', 'hex'),
    // 12.100, 12.250 and 12.251 s.
    event('02', '01', '442f'),
    event('04', '00', 'da2f'),
    event('06', '01', 'db2f'),
    Buffer.from('680e0800020064010a00010000000014', 'hex'),
  ]);
  expect((await run('log', 'relay, feeder, Breaker, 100, bool\n')).code).toBe(0);
  expect(rows().map(([at, cells]) => [new Date(at).toISOString().slice(17, 23), cells])).toEqual([
    ['12.100', '1'],
    ['12.250', '0'],
    ['12.251', '1'],
  ]);
});

test('addresses and windows that cannot be are refused', async () => {
  expect((await run('log', 'a, , A, 1/2/3, bool\na, , B, 16777216, bool\n')).err).toMatch(
    /line 1: object[\s\S]*line 2: object/,
  );
  expect((await run('log', CONFIG, '--k', '4', '--w', '8')).err).toContain('w: it may not be more than k');
});
