import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LineServer, serveLine } from '@albedo/plugin-kit/testing/line-server';
import { runCaptured } from '@albedo/plugin-kit/testing/run-captured';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { meterPlugin } from './meter.plugin.ts';
import { readingsOf } from './readings.ts';
import { subMeterReadings } from './sub-meters.ts';
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

/** A telegram without the check sum, which meters before DSMR 4 have none of. */
const telegram = (...lines: string[]) => ['/XMX5TEST', '', ...lines, '!', ''].join('\r\n');
const GAS = ['0-1:24.1.0(003)', '0-1:24.2.1(261129060000W)(00230.576*m3)'];
const WATER = ['0-2:24.1.0(007)', '0-2:24.2.1(261129060500W)(00012.345*m3)'];
const writtenOf = (meter: string) =>
  readFileSync(join(folder, `meter/127.0.0.1/${converter.port}/${meter}/latest.csv`), 'utf8')
    .trimEnd()
    .split('\n');
const instantsOf = (meter: string) =>
  writtenOf(meter)
    .slice(1)
    .map((line) => new Date(line.split(',')[0] ?? '').toISOString());

test('gas and water are read at their own hour, the meter itself when it speaks', async () => {
  const factoryClock = '0-0:1.0.0(000101010000W)';
  serve = (socket) =>
    socket.write(
      telegram(
        factoryClock,
        '1-0:1.8.1(000427.708*kWh)',
        '1-0:1.7.0(00.500*kW)',
        '1-0:2.7.0(00.000*kW)',
        ...GAS,
        ...WATER,
      ),
    );
  const before = Date.now();
  expect((await run('log')).code).toBe(0);
  const [at = '', ...cells] = written().at(-1)?.split(',') ?? [];
  expect(cells).toEqual(['500', '427708', '427708']);
  expect(Date.parse(at)).toBeGreaterThan(before - 2000);
  expect(writtenOf('gas')[0]).toBe('# Datetime(date),Gas Volume(decimal:m³)');
  expect([writtenOf('gas')[1]?.split(',')[1], instantsOf('gas')]).toEqual([
    '230.576',
    ['2026-11-29T05:00:00.000Z'],
  ]);
  expect([writtenOf('water')[1]?.split(',')[1], instantsOf('water')]).toEqual([
    '12.345',
    ['2026-11-29T05:05:00.000Z'],
  ]);
  // What was told of that hour is not told again.
  await run('log');
  expect([writtenOf('gas').length, written().length]).toEqual([2, 3]);
});

test.each([
  ['heat in GJ', ['0-1:24.1.0(012)', '0-1:24.2.1(260701120000S)(1.800*GJ)'], 'heat', '500000', '10:00'],
  [
    'gas as DSMR 3 has it',
    ['0-1:24.1.0(3)', '0-1:24.3.0(260701120000)(00)(60)(1)(0-1:24.2.1)(m3)\r\n(00123.456)'],
    'gas',
    '123.456',
    '10:00',
  ],
  ['gas in Belgium', ['0-4:24.1.0(003)', '0-4:24.2.3(260701120000S)(00005.001*m3)'], 'gas', '5.001', '10:00'],
  ['two gas meters', [...GAS, '0-3:24.1.0(003)', '0-3:24.2.1(260701120000S)(7*m3)'], 'gas/3', '7', '10:00'],
])('%s', async (_, lines, meter, value, utc) => {
  serve = (socket) => socket.write(telegram('1-0:1.7.0(00.500*kW)', ...lines));
  expect((await run('log')).code).toBe(0);
  expect([writtenOf(meter)[1]?.split(',')[1], instantsOf(meter)[0]?.slice(11, 16)]).toEqual([value, utc]);
});

test('a time of another meter that is none, or a value, is left out', () => {
  const of = (...lines: string[]) =>
    subMeterReadings(readTelegram(telegram(...lines)).lines, 'Europe/Amsterdam');
  const reading = (stamp: string, value = '1*m3') => of('0-1:24.1.0(003)', `0-1:24.2.1(${stamp})(${value})`);
  expect(reading('261129060000W')).toHaveLength(1);
  for (const stamp of [
    '000101010000W',
    '261329060000W',
    '260231060000W',
    '261129250000W',
    '632525252525S',
    '',
  ])
    expect(reading(stamp)).toEqual([]);
  expect(reading('261129060000W', '1*kWh')).toEqual([]);
  expect(of('0-1:24.2.1(261129060000W)(1*m3)')).toEqual([]);
  // The two hours of one name in autumn.
  expect(['261025023000S', '261025023000W'].map((stamp) => reading(stamp)[0]?.at)).toEqual([
    Date.parse('2026-10-25T00:30:00Z'),
    Date.parse('2026-10-25T01:30:00Z'),
  ]);
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
