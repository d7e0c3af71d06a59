import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LineServer, serveLine } from '@albedo/plugin-kit/testing/line-server';
import { runCaptured } from '@albedo/plugin-kit/testing/run-captured';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { meterPlugin } from './meter.plugin.ts';
import { readingsOf } from './readings.ts';
import { blockCheck, readTelegram, TelegramFinder } from './telegram.ts';

/** The example telegram of the P1 Companion Standard 5.0.2 of Netbeheer Nederland, with its check sum. */
const DSMR = `/ISk5\\2MT382-1000

1-3:0.2.8(50)
0-0:1.0.0(101209113020W)
0-0:96.1.1(4B384547303034303436333935353037)
1-0:1.8.1(123456.789*kWh)
1-0:1.8.2(123456.789*kWh)
1-0:2.8.1(123456.789*kWh)
1-0:2.8.2(123456.789*kWh)
0-0:96.14.0(0002)
1-0:1.7.0(01.193*kW)
1-0:2.7.0(00.000*kW)
0-0:96.7.21(00004)
0-0:96.7.9(00002)
1-0:99.97.0(2)(0-0:96.7.19)(101208152415W)(0000000240*s)(101208151004W)(0000000301*s)
1-0:32.32.0(00002)
1-0:52.32.0(00001)
1-0:72.32.0(00000)
1-0:32.36.0(00000)
1-0:52.36.0(00003)
1-0:72.36.0(00000)
0-0:96.13.0(303132333435363738393A3B3C3D3E3F303132333435363738393A3B3C3D3E3F303132333435363738393A3B3C3D3E3F303132333435363738393A3B3C3D3E3F303132333435363738393A3B3C3D3E3F)
1-0:32.7.0(220.1*V)
1-0:52.7.0(220.2*V)
1-0:72.7.0(220.3*V)
1-0:31.7.0(001*A)
1-0:51.7.0(002*A)
1-0:71.7.0(003*A)
1-0:21.7.0(01.111*kW)
1-0:41.7.0(02.222*kW)
1-0:61.7.0(03.333*kW)
1-0:22.7.0(04.444*kW)
1-0:42.7.0(05.555*kW)
1-0:62.7.0(06.666*kW)
0-1:24.1.0(003)
0-1:96.1.0(3232323241424344313233343536373839)
0-1:24.2.1(101209112500W)(12785.123*m3)
!E47C
`.replaceAll('\n', '\r\n');

let folder = '';
let converter: LineServer;
let serve: (socket: Socket) => void = () => {};
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-meter-'));
  converter = await serveLine((socket) => serve(socket));
});
afterEach(async () => {
  await converter.stop();
  rmSync(folder, { recursive: true, force: true });
});

const run = (verb: string, ...more: string[]) =>
  runCaptured(meterPlugin, [
    ...[verb, '127.0.0.1', ...(verb === 'log' ? [folder] : [])],
    ...['--port', converter.port, ...more],
  ]);
const written = () =>
  readFileSync(join(folder, `meter/127.0.0.1/${converter.port}/latest.csv`), 'utf8')
    .trimEnd()
    .split('\n');

test('a P1 telegram is read whole, also when it comes in pieces and in the middle of another one', async () => {
  const bytes = Buffer.from(`0-1:24.2.1(x)\r\n!0000\r\n${DSMR}`);
  serve = (socket) => {
    for (let at = 0; at < bytes.length; at += 100) socket.write(bytes.subarray(at, at + 100));
  };
  expect(await run('log')).toEqual({ code: 0, out: '', err: '' });
  const [header, line = ''] = written();
  expect(header).toBe(
    '# Datetime(date),Grid Power(decimal:W),Import Energy(decimal:Wh),Export Energy(decimal:Wh),Import Energy T1(decimal:Wh),Import Energy T2(decimal:Wh),Export Energy T1(decimal:Wh),Export Energy T2(decimal:Wh),AC Voltage 1(decimal:V),AC Voltage 2(decimal:V),AC Voltage 3(decimal:V),AC Current 1(decimal:A),AC Current 2(decimal:A),AC Current 3(decimal:A)',
  );
  expect(line.split(',').slice(1).join(',')).toBe(
    '1193,246913578,246913578,123456789,123456789,123456789,123456789,220.1,220.2,220.3,1,2,3',
  );
});

test('browse shows all that the meter says, its gas meter too', async () => {
  serve = (socket) => socket.write(DSMR);
  const { out } = await run('browse');
  expect(out).toContain('# ISk5\\2MT382-1000\n');
  expect(out).toContain('1:24.2.1 101209112500W 12785.123*m3\n');
});

test('a telegram that was damaged on its way is none', async () => {
  serve = (socket) => socket.write(DSMR.replace('01.193', '91.193'));
  const { code, err } = await run('log');
  expect([code, err]).toEqual([1, expect.stringMatching(/damaged on its way: [0-9A-F]{4} in place of E47C/)]);
});

/** As mode C of IEC 62056-21 has it, sections 6.3 and 6.4.3: one step after the other, each checked. */
function mode(data: string, spoil = 0): (socket: Socket) => void {
  const body = Buffer.from(`${data}!\r\n\x03`, 'latin1');
  return (socket) => {
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
      if (heard === '/?!\r\n') socket.write('/EMH4\\@01LZQJL0014F\r\n');
      else if (heard === '/?!\r\n\x06040\r\n')
        socket.write(Buffer.concat([Buffer.from([2]), body, Buffer.from([blockCheck(body) ^ spoil])]));
    });
  };
}
const D0 =
  '1.8.0(000284.28*kWh)\r\n2.8.0(001171.5*kWh)\r\n16.7(-0.54*kW)\r\n32.7(231*V)\r\n0.0.0(05296481)\r\n';

test('a meter that is asked gives its data with the speed that it offers', async () => {
  serve = mode(D0);
  expect(await run('log', '--mode', 'ask')).toEqual({ code: 0, out: '', err: '' });
  const [header, line = ''] = written();
  expect(header).toContain(
    'Grid Power(decimal:W),Import Energy(decimal:Wh),Export Energy(decimal:Wh),AC Voltage 1',
  );
  expect(line.split(',').slice(1)).toEqual(['-540', '284280', '1171500', '231']);
});

test('data with a wrong block check are none', async () => {
  serve = mode(D0, 1);
  expect((await run('log', '--mode', 'ask')).err).toContain('the data were damaged on their way');
});

test('a meter that says nothing is given up, and one that is not there says so', async () => {
  expect((await run('log', '--timeout', '0.2')).err).toContain('no telegram in time');
  serve = (socket) => socket.end('nothing');
  expect((await run('log')).err).toContain('the line ended before a telegram did');
  serve = (socket) => socket.write('/x\r\n1-0:96.1.0(77)\r\n!\r\n');
  expect((await run('log')).err).toContain('no value of electricity');
});

test('units are brought to base units, and what is no number is not measured', () => {
  const text =
    '/A\r\n1-0:1.8.0*255(12.5)\r\n1-0:2.8.0(1.5*MWh)\r\n1-0:16.7.0(-42*W)\r\n1-0:14.7.0(??)\r\n1-0:32.7.0(5*kg)\r\n';
  const { columns, values } = readingsOf(readTelegram(text).lines);
  expect(columns.map(({ name }, at) => [name, values[at]])).toEqual([
    ['Grid Power', -42],
    ['Import Energy', 12_500],
    ['Export Energy', 1_500_000],
    ['AC Voltage 1', null],
    ['Grid Freq', null],
  ]);
});

test('what never ends is not kept', () => {
  const finder = new TelegramFinder();
  expect(finder.take(Buffer.alloc(40_000, 65))).toBeNull();
  expect(() => finder.take(Buffer.from(`/${'x'.repeat(40_000)}`))).toThrow('no telegram comes to its end');
});
