import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LineServer, serveLine } from '@albedo/plugin-kit/testing/line-server';
import { runCaptured } from '@albedo/plugin-kit/testing/run-captured';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checksum, sentencesIn } from './sentences.ts';
import { weatherPlugin } from './weather.plugin.ts';
import { weatherValues } from './weather-values.ts';

/** Of an Airmar station, and the examples of MWV and XDR in "NMEA Revealed"; each with its own checksum. */
const MDA = '$WIMDA,29.8578,I,1.0111,B,26.1,C,,,16.1,,-1.6,C,0.0,T,1.4,M,0.0,N,0.0,M*7C';
const MWV = '$WIMWV,214.8,R,0.1,K,A*28';
const XDR = '$SDXDR,C,23.15,C,WTHI*70';

let folder = '';
let converter: LineServer;
let said = '';
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-weather-'));
  // Its end is that of the listening.
  converter = await serveLine((socket) => socket.end(said));
});
afterEach(async () => {
  await converter.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function run(verb: string, ...more: string[]) {
  const places = ['127.0.0.1', ...(verb === 'log' ? [folder] : [])];
  const args = [verb, ...places, '--port', converter.port, '--listen', '60', ...more];
  const file = join(folder, `weather/127.0.0.1/${converter.port}/latest.csv`);
  return {
    ...(await runCaptured(weatherPlugin, args)),
    lines: () => readFileSync(file, 'utf8').trimEnd().split('\n'),
  };
}
const values = (...lines: string[]) => {
  const { columns, values: found } = weatherValues(sentencesIn(lines.join('\r\n')).sentences, new Map());
  return Object.fromEntries(columns.map(({ name }, at) => [name, found[at]]));
};

test('sentences of real stations are read, each in the unit of its field', () => {
  expect(values(MDA)).toEqual({
    'Ambient Temperature': 26.1,
    'Relative Humidity': 16.1,
    'Dew Point': -1.6,
    'Air Pressure': 1011.1,
    'Wind Speed': 0,
    'Wind Direction': 0,
  });
  expect(values(MWV)).toEqual({ 'Wind Speed': 0.028, 'Wind Direction': 214.8 });
  expect(values('$WIMWV,214.8,R,10,N,A')).toMatchObject({ 'Wind Speed': 5.144 });
  expect(values('$WIMWV,214.8,R,10,N,V', '$WIMWV,214.8,R,10,?,A')).toEqual({ 'Wind Direction': 214.8 });
});

test('a damaged sentence counts nothing', () => {
  expect(sentencesIn(`${MDA}\r\n${MDA.replace('26.1', '76.1')}\r\nnoise$`)).toMatchObject({ damaged: 1 });
  expect(values(MDA.replace('26.1', '76.1'))).toEqual({});
});

test('a station is written with what people call its transducers, and a half sentence waits', async () => {
  const solar = 'WIXDR,G,812.5,W,SR1,C,41.25,C,PT2';
  const ending = '$WIMWV,99.9,R,9';
  said = `${MWV}\r\n$${solar}*${checksum(solar).toString(16).padStart(2, '0')}\r\n${XDR}\r\n${ending}`;
  const names = 'SR1=Plane Irradiance:W/m²; PT2=Module Temperature:°C; WTHI=Room Temperature:°C';
  const { code, err, lines } = await run('log', '--names', names);
  expect([code, err]).toEqual([0, '']);
  const [header, line = ''] = lines();
  expect(header).toBe(
    '# Datetime(date),Wind Speed(decimal:m/s),Wind Direction(decimal:°),Plane Irradiance(decimal:W/m²),Module Temperature(decimal:°C),Room Temperature(decimal:°C)',
  );
  expect(line.split(',').slice(1)).toEqual(['0.028', '214.8', '812.5', '41.25', '23.15']);
});

test('browse shows what comes, and a silent station says so', async () => {
  said = `${XDR}\r\n`;
  expect((await run('browse')).out).toBe('XDR,C,23.15,C,WTHI\n');
  said = '';
  expect(await run('log')).toMatchObject({
    code: 1,
    err: expect.stringContaining('nothing about the weather'),
  });
  expect((await run('log', '--names', 'SR1')).err).toContain('names: "SR1" is not of the form');
});
