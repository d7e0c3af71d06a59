import { type Entity, NO_SIGNALS } from '@albedo/contract/entities/entities.schema';
import { EntityWorld } from '@albedo/contract/entities/entity-streams';
import type { KnownSource } from '@albedo/contract/entities/streams.schema';
import { readSite } from '@albedo/contract/plants/plant-site';
import type { SeriesPoints } from '@albedo/contract/telemetry/telemetry.schema';
import { expect, test } from 'vitest';
import '../../app/test-screen.tsx';
import type { KnownWorld } from '../../app/entity-world-query.ts';
import { earlierSpan, movedOn } from '../../app/series/earlier.ts';
import { readAddress, writeAddress } from './analysis-address.ts';
import type { EntityLine } from './analysis-lines.ts';
import { ratedScale, seriesOfLines } from './analysis-series.ts';
import { clearSky, skyKindOf } from './clear-sky.ts';
import { type DrawnLine, drawnLines } from './drawn-lines.ts';
import { eachOf, findEntities } from './entity-search.ts';

const DAY = 86_400_000;
const DEVICE = '7d444840-9dc0-41d1-b245-5ffdce74fad2';
const OTHER = '9a444840-9dc0-41d1-b245-5ffdce74fad2';
const ZONE = 'Europe/Berlin';

test('everything that is seen stands in the address, and comes back from it', () => {
  const search = {
    line: [
      `${DEVICE}~solar~inv-01~AC%20Power`,
      `formula~${DEVICE}`,
      'entity~hilltop.inv-01~acPower',
      'entity~hilltop~my%7Etable~DC%20Power',
    ],
    range: '2026-11-01T00:00Z_2026-11-08T00:00Z',
    tz: 'Europe/Madrid',
    layout: 'each',
    as: 'scatter',
    x: `formula~${DEVICE}`,
    every: '15m',
    fn: 'max',
    compare: 'week',
    rated: true,
    sky: true,
    min: -5,
    max: 20_000,
    date: 'Datetime',
    at: '2026-11-03T12:15:00.000Z',
    marks: false,
  };
  expect(writeAddress(readAddress(search))).toEqual(search);
  expect(writeAddress(readAddress({}))).toEqual({});
  const wrong = {
    line: [
      'a~b',
      `${DEVICE}~x`,
      'entity~hilltop~nonsense',
      'entity~~acPower',
      'entity~a~%E0~b',
      'entity~a~toString',
    ],
    every: '7m',
    fn: 'median',
    compare: 'soon',
    at: 'noon',
    min: 'x',
  };
  expect(writeAddress(readAddress(wrong))).toEqual({});
});

const points = (times: number[]): SeriesPoints => ({
  stepMs: 0,
  times,
  min: times,
  avg: times,
  max: times,
  stats: { count: times.length, min: null, avg: null, max: null, last: null },
});

test('a day earlier is the day before by the clocks, also when they went back in between', () => {
  // Noon of Monday 26 October 2026, the day after the clocks of Berlin went back.
  const span = { from: Date.UTC(2026, 9, 25, 11), to: Date.UTC(2026, 9, 26, 11) };
  const earlier = earlierSpan(span, 'day', ZONE);
  expect(earlier).toEqual({ from: Date.UTC(2026, 9, 24, 10), to: Date.UTC(2026, 9, 25, 11) });
  const moved = movedOn(points([earlier.from, Date.UTC(2026, 9, 25, 10)]), span, 'day', ZONE);
  expect(moved.times).toEqual([span.from, Date.UTC(2026, 9, 26, 10)]);
  expect(moved.avg[0]).toBe(earlier.from);
});

test('a month before 31 March is the last day of February, and points that meet there stay in order', () => {
  const span = { from: Date.UTC(2026, 2, 31, 10), to: Date.UTC(2026, 3, 1, 10) };
  expect(earlierSpan(span, 'month', 'UTC').from).toBe(Date.UTC(2026, 1, 28, 10));
  expect(earlierSpan(span, 'previous', 'UTC')).toEqual({ from: span.from - DAY, to: span.from });
  const january = [29, 30, 31].map((day) => Date.UTC(2026, 0, day));
  const { times } = movedOn(points(january), span, 'month', 'UTC');
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(new Set(times).size).toBe(times.length);
});

const stream = (source: string, device = DEVICE) => ({
  ...{ device, table: 'solar', source, field: 'AC Power' },
  ...{ factor: 1, offset: 0, part: 0.5 },
});
const line = (more: Partial<DrawnLine> = {}): DrawnLine => ({
  ...{ key: 'a', label: 'inv-01', owner: 'Hilltop', table: 'solar', source: 'inv-01', field: 'AC Power' },
  ...{ units: 'kW', isStepped: false, combine: null, zone: null, streams: [stream('inv-01')] },
  ...more,
});
const site = readSite({ Latitude: '0', Longitude: '0', 'Rated power': '50 kW' });

test('a power becomes a part of the rated power of its inverters; what is no power stays', () => {
  // 25 kW of one of two inverters of a plant of 50 kW is all of it.
  expect(25 * (ratedScale(line(), () => site) ?? 0)).toBe(100);
  expect(ratedScale(line({ units: '°C' }), () => site)).toBeNull();
  expect(ratedScale(line(), () => readSite({}))).toBeNull();
  // Both inverters, and another such plant: 75 kW of 75 kW.
  const more = line({ streams: [stream('inv-01'), stream('inv-02'), stream('inv-01', OTHER)] });
  expect(75 * (ratedScale(more, () => site) ?? 0)).toBeCloseTo(100, 9);
  expect(ratedScale(more, (device) => (device === OTHER ? undefined : site))).toBeNull();
});

test('a sky without clouds is dark at night and brightest at noon, and says nothing without a place', () => {
  const day = { from: Date.UTC(2026, 2, 20), to: Date.UTC(2026, 2, 21) };
  const sky = clearSky(site, 'horizontal', 1, day);
  const at = (hour: number) => sky?.avg[(sky.times ?? []).indexOf(day.from + hour * 3_600_000)] ?? Number.NaN;
  expect(at(0)).toBe(0);
  // At noon of the equinox the sun stands above the equator: 1098 exp(-0.057) W/m².
  expect(at(12)).toBeGreaterThan(1030);
  expect(at(12)).toBeLessThan(1040);
  const power = clearSky(site, 'power', 0.5, day);
  expect(power?.stats.max).toBeLessThanOrEqual(25_000);
  expect(clearSky(readSite({}), 'horizontal', 1, day)).toBeNull();
  expect([skyKindOf('W', 'AC Power'), skyKindOf('W/m²', 'Plane Irradiance'), skyKindOf('°C', 'T')]).toEqual([
    'power',
    'plane',
    null,
  ]);
});

test('live, the newest value of the source stands behind what was loaded, and no older one does', () => {
  const span = { from: 0, to: DAY };
  const answer = { span, earlier: null, points: new Map([['a', { now: points([1000]), before: null }]]) };
  const drawnAt = (eventAt: number) => {
    const source = { table: 'solar', source: 'inv-01', eventAt, values: { 'AC Power': 7 } };
    const known = new Map([[DEVICE, { site, zone: null, sources: [source] }]]);
    const texts = { earlier: String, clearSky: String };
    const rest = {
      compare: null,
      isNormalised: false,
      hasClearSky: false,
      zone: 'UTC',
      hasUnits: true,
      texts,
    };
    return seriesOfLines({ lines: [line()], answer, known, isLive: true, ...rest })[0]?.[0]?.points.times;
  };
  expect(drawnAt(6000)).toEqual([1000, 6000]);
  expect(drawnAt(900)).toEqual([1000]);
});

test('what a line is compared with is drawn in its colour', () => {
  const span = { from: DAY, to: 2 * DAY };
  const answer = {
    span,
    earlier: { from: 0, to: DAY },
    points: new Map([['a', { now: points([DAY]), before: points([0]) }]]),
  };
  const texts = { earlier: (label: string) => `${label} before`, clearSky: (label: string) => label };
  const [series] = seriesOfLines({
    lines: [line()],
    answer,
    known: new Map(),
    compare: 'previous',
    isNormalised: false,
    hasClearSky: false,
    zone: 'UTC',
    isLive: false,
    hasUnits: true,
    texts,
  });
  expect(
    series?.map(({ label, style, ghost = null, points: { times } }) => [label, style, ghost, times]),
  ).toEqual([
    ['inv-01', 0, null, [DAY]],
    ['inv-01 before', 0, 'earlier', [DAY]],
  ]);
});

test('live, several streams are drawn together once all of them have a newer value', () => {
  const answer = {
    span: { from: 0, to: DAY },
    earlier: null,
    points: new Map([['a', { now: points([1000]), before: null }]]),
  };
  const newest = (source: string, values: Record<string, number>) => ({
    ...{ table: 'solar', source, eventAt: 6000, values },
  });
  const both = line({ combine: 'sum', table: '', streams: [stream('inv-01'), stream('inv-02')] });
  const lastOf = (second: Record<string, number>) => {
    const sources = [newest('inv-01', { 'AC Power': 7 }), newest('inv-02', second)];
    const known = new Map([[DEVICE, { site, zone: null, sources }]]);
    const texts = { earlier: String, clearSky: String };
    const rest = {
      compare: null,
      isNormalised: false,
      hasClearSky: false,
      zone: 'UTC',
      hasUnits: true,
      texts,
    };
    return seriesOfLines({ lines: [both], answer, known, isLive: true, ...rest })[0]?.[0]?.points.avg.at(-1);
  };
  expect(lastOf({ 'AC Power': 5 })).toBe(12);
  expect(lastOf({})).toBe(1000);
});

/** Two sites with inverters; what the second one has is in kW. */
function worldOfTwo(): KnownWorld {
  const source = (deviceId: string, name: string, units: string): KnownSource => ({
    ...{ deviceId, table: 'solar', source: name, kind: 'inverter' },
    fields: [
      { name: 'AC Power', units, role: 'acPower', factor: units === 'kW' ? 1000 : 1, offset: 0 },
      { name: 'Heat', units: '°C', role: null, factor: 1, offset: 0 },
      { name: 'State', units: null, role: 'state', factor: 1, offset: 0 },
      { name: 'AC Current', units: 'A', role: 'acCurrent', factor: 1, offset: 0 },
    ],
  });
  const meter = { ...source(OTHER, 'grid', 'W'), kind: 'meter' as const };
  const entity = (_id: string, name: string, parent: string | null, more: Partial<Entity> = {}): Entity => ({
    ...{ _id, name, parent, labels: [], machine: null, children: [], meta: {}, settings: {}, version: 1 },
    signals: NO_SIGNALS,
    ...more,
  });
  const inverter = (site: string, name: string, deviceId: string, of: string) =>
    entity(`${site}-${of}`, name, site, {
      labels: ['inverter'],
      signals: { ...NO_SIGNALS, sources: [{ deviceId, source: of }] },
    });
  const entities = [
    entity('all', 'Portfolio', null),
    entity('hill', 'Hilltop', 'all', { meta: { timezone: ZONE }, labels: ['site'] }),
    inverter('hill', 'Inverter 1', DEVICE, 'inv-01'),
    inverter('hill', 'Inverter 2', DEVICE, 'inv-02'),
    entity('river', 'Riverside', 'all', { labels: ['site'] }),
    inverter('river', 'Inverter 1', OTHER, 'inv-01'),
    entity('river-grid', 'Meter', 'river', {
      signals: {
        ...NO_SIGNALS,
        fields: [{ deviceId: OTHER, table: 'solar', source: 'grid', field: 'AC Current' }],
      },
    }),
  ];
  const sources = [
    source(DEVICE, 'inv-01', 'W'),
    source(DEVICE, 'inv-02', 'W'),
    source(OTHER, 'inv-01', 'kW'),
    meter,
  ];
  const world = new EntityWorld({ entities, sources });
  return { world, entities, sources, byId: new Map(entities.map((one) => [one._id, one])) };
}

const LABELS = [
  { id: 'inverter', name: 'Converter', color: '' },
  { id: 'site', name: 'Site', color: '' },
];
const drawnOf = (lines: EntityLine[], entities: KnownWorld | null = worldOfTwo()) =>
  drawnLines(lines, {
    ...{ devices: [], known: new Map(), tables: new Map(), formulas: [], formulaWord: 'Formula' },
    entities,
  });

test('an entity is what it measures itself, or all below it together: powers add up, temperatures do not', () => {
  const [site, own, heat] = drawnOf([
    { entity: 'all', role: 'acPower' },
    { entity: 'river-inv-01', role: 'acPower' },
    { entity: 'all', table: 'solar', field: 'Heat' },
  ]);
  expect([site?.combine, site?.units, site?.streams.map(({ factor }) => factor)]).toEqual([
    ...['sum', 'W'],
    [1, 1, 1000],
  ]);
  expect([own?.streams.length, own?.units]).toEqual([1, 'W']);
  expect([heat?.combine, heat?.units, heat?.streams.length]).toEqual(['mean', '°C', 3]);
  // Powers in W and kW as they are called, not as they are meant: brought to watts first.
  const [field] = drawnOf([{ entity: 'all', table: 'solar', field: 'AC Power' }]);
  expect([field?.units, field?.streams.map(({ factor }) => factor)]).toEqual(['W', [1, 1, 1000]]);
  // The sum of states is no state.
  expect(drawnOf([{ entity: 'hill', role: 'state' }])).toEqual([]);
  expect(drawnOf([{ entity: 'hill-inv-01', role: 'state' }])[0]?.isStepped).toBe(true);
  // The current of the inverter flows through the meter too.
  expect(drawnOf([{ entity: 'river', role: 'acCurrent' }])).toEqual([]);
  expect(drawnOf([{ entity: 'hill', role: 'acCurrent' }])[0]?.combine).toBe('sum');
});

test('lines of entities are told apart by as much of their place as it takes, and stand in the clock of their site', () => {
  const lines = (ids: string[]): EntityLine[] => ids.map((entity) => ({ entity, role: 'acPower' }));
  const named = (ids: string[]) => drawnOf(lines(ids)).map(({ label }) => label);
  expect(named(['hill-inv-01', 'river-inv-01', 'hill-inv-02'])).toEqual([
    'Hilltop / Inverter 1',
    'Riverside / Inverter 1',
    'Inverter 2',
  ]);
  expect(drawnOf(lines(['hill-inv-01', 'river-inv-01'])).map(({ zone }) => zone)).toEqual([ZONE, null]);
  // What the user does not see, or what is gone, is not drawn.
  expect(named(['hill', 'elsewhere'])).toHaveLength(1);
  expect(drawnOf(lines(['hill']), null)).toEqual([]);
});

test('the same of each part: of the children, and of everything below with a label', () => {
  const of = (entity: string) =>
    eachOf(worldOfTwo(), LABELS, { entity, role: 'acPower' }).map(({ label, lines }) => [
      label,
      lines.map((one) => one.entity),
    ]);
  expect(of('all')).toEqual([
    ['Site', ['hill', 'river']],
    ['Converter', ['hill-inv-01', 'hill-inv-02', 'river-inv-01']],
  ]);
  expect(of('river')).toEqual([]);
});

test('entities are found by name, label, place and field', () => {
  const found = (wanted: string) =>
    findEntities(worldOfTwo(), LABELS, wanted).map(({ entity }) => entity._id);
  expect(found('riverside')[0]).toBe('river');
  expect(found('converter hilltop')).toEqual(['hill-inv-01', 'hill-inv-02']);
  expect(found('inverter heat').toSorted()).toEqual(['hill-inv-01', 'hill-inv-02', 'river-inv-01']);
  expect(found('riverside wind')).toEqual([]);
});
