import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runPlugin } from '@albedo/plugin-kit/run-plugin';
import { sunspecPlugin } from '@albedo/plugin-sunspec/sunspec.plugin';
import { Plant } from '@albedo/simulator/plants/plant';
import { findPlant } from '@albedo/simulator/plants/plants';
import { PlantServer } from '@albedo/simulator/sunspec/modbus-server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DAY_MS, historyDays, historyInstants } from './history-plan.ts';
import { HistoryWriter } from './history-writer.ts';

const HILLTOP = findPlant('hilltop');
const LIVE_FROM = Date.UTC(2026, 5, 14, 11, 2, 5);
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'albedo-history-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const latest = (source: string, root = folder) =>
  readFileSync(join(root, source, 'latest.csv'), 'utf8')
    .trimEnd()
    .split('\n');
const timesOf = (source: string) =>
  latest(source)
    .slice(1)
    .map((line) => Date.parse(line.slice(0, 24).replace(/(\d\d)$/, ':$1')));

async function writer(): Promise<HistoryWriter> {
  const made = new HistoryWriter(HILLTOP, folder, LIVE_FROM);
  await made.start();
  return made;
}

test('a year and a month of days, newest first: close steps in the last hour, then 5 minutes, then 15', () => {
  const plan = { liveFrom: LIVE_FROM, commissionedAt: 0 };
  const days = historyDays(plan);
  expect(days).toHaveLength(397);
  expect(days[0]).toBe(Math.floor(LIVE_FROM / DAY_MS));
  expect(days.every((day, index) => index === 0 || day === (days[index - 1] ?? 0) - 1)).toBe(true);
  expect(historyInstants(plan, days[59] ?? 0)).toHaveLength(288);
  expect(historyInstants(plan, days[60] ?? 0)).toHaveLength(96);
  const newest = historyInstants(plan, days[0] ?? 0);
  // Live data is next.
  expect(newest.at(-1)).toBe(Date.UTC(2026, 5, 14, 11, 2));
  expect(newest.map((at, index) => at - (newest[index - 1] ?? at)).slice(1)).toEqual([
    ...Array(10 * 12).fill(300_000),
    ...Array(2 * 62).fill(30_000),
  ]);
});

test('nothing is older than the plant', () => {
  const commissionedAt = LIVE_FROM - 10.5 * DAY_MS;
  expect(historyDays({ liveFrom: LIVE_FROM, commissionedAt }).at(-1)).toBe(
    Math.ceil(commissionedAt / DAY_MS),
  );
});

test('history has the header, the source and the values that the plugin reads live at the same instant', async () => {
  const at = Date.UTC(2026, 5, 14, 11, 0);
  const server = new PlantServer(new Plant(HILLTOP), () => at);
  const port = String(await server.start('127.0.0.1', 0));
  const live = join(folder, 'live');
  const args = ['log', '127.0.0.1', '1-2,100,110', live, '--port', port, '--delay', '0'];
  expect(await runPlugin(sunspecPlugin, args, new AbortController().signal)).toBe(0);
  await server.stop();

  const history = await writer();
  history.writeDay();
  const last = Date.UTC(2026, 5, 14, 11, 2);
  const pairs = { 'solar/inv-02': 'solar', 'meter/grid': 'meter', 'weather/station': 'weather' };
  const unit: Record<string, number> = { solar: 2, meter: 100, weather: 110 };
  for (const [source, table] of Object.entries(pairs)) {
    const [header, line = ''] = latest(`${table}/127.0.0.1/${port}/${unit[table]}`, live);
    expect(latest(source)[0]).toBe(header);
    const there = timesOf(source).indexOf(at);
    expect(latest(source)[there + 1]?.split(',').slice(1)).toEqual(line.split(',').slice(1));
    expect(timesOf(source).at(-1)).toBe(last);
  }
});

test('a restart repeats no line and leaves out none, wherever a kill came', async () => {
  const whole = await writer();
  for (let day = 0; day < 3; day++) whole.writeDay();
  const expected = latest('solar/inv-01');
  rmSync(folder, { recursive: true });

  const first = await writer();
  first.writeDay();
  const path = join(folder, 'solar/inv-01/latest.csv');
  const lines = latest('solar/inv-01');
  rmSync(path);
  appendFileSync(path, `${lines.slice(0, 40).join('\n')}\n${lines[40]?.slice(0, 30)}`);
  const second = await writer();
  const size = statSync(join(folder, 'meter/grid/latest.csv')).size;
  for (let day = 0; day < 3; day++) second.writeDay();
  expect(latest('solar/inv-01')).toEqual(expected);
  expect(statSync(join(folder, 'meter/grid/latest.csv')).size).toBeGreaterThan(size);
  expect(new Set(timesOf('meter/grid')).size).toBe(timesOf('meter/grid').length);
});

test('the last day comes first, and what is written so far is whole from its oldest day on', async () => {
  const history = await writer();
  expect(history.wholeFrom).toBeNull();
  let days = 0;
  for (; history.isUrgent; days++) history.writeDay();
  // Yesterday has a part of the last 24 hours.
  expect(days).toBe(2);
  expect(history.wholeFrom).toBe(Date.UTC(2026, 5, 13));
  expect(timesOf('meter/grid').every((at) => at >= Date.UTC(2026, 5, 13))).toBe(true);
  expect(history.linesLeft).toBe(history.size.lines - 4 * (133 + 112 + 288));
});

test('a finished history has no days left', async () => {
  const plant = { ...HILLTOP, commissionedAt: LIVE_FROM - 2.2 * DAY_MS };
  const first = new HistoryWriter(plant, folder, LIVE_FROM);
  await first.start();
  while (first.daysLeft > 0) first.writeDay();
  const again = new HistoryWriter(plant, folder, LIVE_FROM);
  await again.start();
  expect(again.daysLeft).toBe(0);
});
