import type { LatestSource } from '@albedo/contract/devices/devices.schema';
import { describe, expect, it, vi } from 'vitest';
import '../../app/test-screen.tsx';
import { planCharts } from '../../app/series/chart-layout.ts';
import { type ChartLine, lineFromText, lineLabel, lineToText } from '../../app/series/chart-lines.ts';
import { groupSources, ownSources, searchSources } from '../../app/series/source-groups.ts';
import { FeedStore } from './feed-store.ts';
import { mergeLatest } from './telemetry.queries.ts';
import { readAddress, writeAddress } from './use-data-address.ts';
import { valueText } from './value-text.ts';

const source = (
  table: string,
  name: string,
  values: LatestSource['values'] = { a: 1 },
  eventAt = 0,
): LatestSource => ({
  table,
  source: name,
  eventAt,
  values,
});
const line = (table: string, name: string, field: string): ChartLine => ({ table, source: name, field });

describe('sources', () => {
  it('stand by table in the order people count, those of the agent and the server last', () => {
    const groups = groupSources([
      source('black_box', 'Black box'),
      source('solar', 'inv-10'),
      source('solar', 'inv-2'),
      source('meter', 'grid'),
    ]);
    expect(groups.map((group) => [group.table, group.sources.map((one) => one.source)])).toEqual([
      ['meter', ['grid']],
      ['solar', ['inv-2', 'inv-10']],
      ['black_box', ['Black box']],
    ]);
  });

  it('are those that the device feeds, not what the server notes about it', () => {
    expect(
      ownSources([source('audit_logs', 'cloud'), source('data', 'cpu')]).map((one) => one.table),
    ).toEqual(['data']);
    expect(ownSources(undefined)).toEqual([]);
  });

  it('are found by any word of table, source and field, and show only the fields that were meant', () => {
    const all = [
      source('solar', 'inv-01', { 'AC power': 1, 'DC power': 2 }),
      source('meter', 'grid', { Power: 3 }),
    ];
    expect(searchSources(all, 'grid')).toEqual([all[1]]);
    expect(searchSources(all, 'inv ac')).toEqual([source('solar', 'inv-01', { 'AC power': 1 })]);
    expect(searchSources(all, 'nothing')).toEqual([]);
  });

  it('take newer values, keep fields that were not sent again, and ignore older events', () => {
    const before = [source('t', 'a', { x: 1, y: 2 }, 10), source('t', 'b', { x: 5 }, 10)];
    const after = mergeLatest(before, [
      source('t', 'a', { x: 3 }, 20),
      source('t', 'b', { x: 0 }, 5),
      source('t', 'c'),
    ]);
    expect(after?.map((one) => one.values)).toEqual([{ x: 3, y: 2 }, { x: 5 }, { a: 1 }]);
    expect(after?.[1]).toBe(before[1]);
  });
});

describe('values', () => {
  it('read as people would say them', () => {
    expect(valueText(1, 'bool', null, 'UTC')).toBe('yes');
    expect(valueText(0, 'date', null, 'UTC')).toBe('Jan 1, 1970 00:00:00');
    expect(valueText(4820, 'decimal', 'W', 'UTC')).toBe('4.82 kW');
    expect(valueText('MPPT', 'keyword', null, 'UTC')).toBe('MPPT');
    expect(valueText(null, 'decimal', 'W', 'UTC')).toBe('–');
  });
});

describe('the address of the data tab', () => {
  it('brings back what it was made from, names with odd letters included', () => {
    const address = readAddress({
      line: [lineToText(line('a~b', 'Dach/Ost 50%', 'Spannung, U'))],
      range: '2026-11-01T00:00Z_2026-11-02T00:00Z',
      tz: 'collected',
      layout: 'each',
    });
    expect(address.lines).toEqual([line('a~b', 'Dach/Ost 50%', 'Spannung, U')]);
    expect(readAddress(writeAddress(address))).toEqual(address);
  });

  it('that says nonsense shows the defaults, and the defaults need no words', () => {
    const address = readAddress({
      line: ['a~b', '%%%~x~y', 7],
      range: 'soon',
      tz: 5,
      layout: 'pie',
      live: 'yes',
    });
    expect(address.lines).toEqual([]);
    expect(writeAddress({ ...address, lines: null })).toEqual({});
  });

  it('keeps a fixed range from following the clock', () => {
    expect(readAddress({ range: '2026-11-01T00:00Z_2026-11-02T00:00Z', live: true }).time.isRefreshing).toBe(
      false,
    );
    expect(lineFromText('a~b~c~d')).toBeNull();
  });
});

describe('charts', () => {
  const lines = [
    line('s', 'inv-1', 'P'),
    line('s', 'inv-2', 'P'),
    line('s', 'inv-1', 'T'),
    line('m', 'grid', 'P'),
  ];
  const units = ['W', 'W', '°C', 'kW'];

  it('by unit put watts and kilowatts together', () => {
    const charts = planCharts(lines, units, 'unit');
    expect(charts.map((chart) => [chart.title, chart.lines])).toEqual([
      ['P of 3 sources', [0, 1, 3]],
      ['inv-1 / T', [2]],
    ]);
  });

  it('may be one for all, or one for each', () => {
    expect(planCharts(lines, units, 'one').map((chart) => chart.lines)).toEqual([[0, 1, 2, 3]]);
    expect(planCharts(lines, units, 'each')).toHaveLength(4);
    expect(planCharts([], [], 'one')).toEqual([]);
  });

  it('name their lines by what tells them apart', () => {
    expect(lineLabel(lines[0] as ChartLine, lines.slice(0, 2))).toBe('inv-1');
    expect(lineLabel(lines[0] as ChartLine, lines)).toBe('s / inv-1 / P');
    expect(lineLabel(lines[0] as ChartLine, lines.slice(0, 1))).toBe('P');
  });
});

describe('a live feed', () => {
  it('tells its texts a few times a second, however fast samples arrive, and its buffer at once', () => {
    vi.useFakeTimers();
    const store = new FeedStore();
    const told = vi.fn();
    store.watch(told);
    const buffer = store.bufferFor(['x']);
    for (let i = 0; i < 100; i++) store.take([[i * 10, { x: i }]], i * 10);
    expect(buffer.times).toHaveLength(100);
    expect(told).not.toHaveBeenCalled();
    vi.advanceTimersByTime(300);
    expect(told).toHaveBeenCalledTimes(1);
    expect(store.view()).toMatchObject({ received: 100, perS: 100, newest: { x: 99 } });
    expect(store.view().samples[0]).toMatchObject({ at: 990, values: { x: 99 } });
    vi.useRealTimers();
  });

  it('draws newly chosen fields with what is stored and what arrived before', () => {
    const store = new FeedStore();
    store.take([[100, { x: 1, y: 2 }]], 100);
    const stats = { count: 2, min: 7, avg: 7, max: 8, last: 8 };
    const points = { stepMs: 0, times: [40, 50], min: [7, 8], avg: [7, 8], max: [7, 8], stats };
    const buffer = store.bufferFor(['y'], [points]);
    expect([buffer.times, buffer.columns]).toEqual([[40, 50, 100], [[7, 8, 2]]]);
    expect(buffer.edgeAt(200)).toBe(200);
  });
});
