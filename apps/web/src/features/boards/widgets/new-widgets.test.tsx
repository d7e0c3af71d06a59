import type { BoardQuestionInput } from '@albedo/contract/boards/answers.schema';
import type { BoardItem } from '@albedo/contract/boards/board-items';
import { settingsOf } from '@albedo/contract/boards/boards.schema';
import { fullSettings } from '@albedo/contract/boards/widgets/full-settings';
import type { Entity } from '@albedo/contract/entities/entities.schema';
import { EntityWorld } from '@albedo/contract/entities/entity-streams';
import type { KnownSource } from '@albedo/contract/entities/streams.schema';
import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Suspense } from 'react';
import { expect, test, vi } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../../app/test-screen.tsx';
import type { TimeSeriesChartProps } from '../../../ui/time-series-chart/time-series-chart.tsx';
import { type BoardContext, BoardRoom } from '../board-context.ts';
import { ShownData, type WidgetData } from '../widget-data.ts';
import { WidgetTable } from '../widget-table.tsx';
import { CommandsView } from './commands/commands-view.tsx';
import { DevicesView } from './devices/devices-view.tsx';
import { EnergyView } from './energy/energy-view.tsx';
import { GaugeView } from './gauge/gauge-view.tsx';
import { HeatView } from './heat/heat-view.tsx';
import { ImageView } from './image/image-view.tsx';
import { IncidentsView } from './incidents/incidents-view.tsx';
import { LastView } from './last/last-view.tsx';
import { BarsView } from './lines/lines-view.tsx';
import { NumberView } from './number/number-view.tsx';
import { SearchView } from './search/search-view.tsx';
import { StatusView } from './status/status-view.tsx';
import { TimelineView } from './timeline/timeline-view.tsx';
import { widgetOf } from './widgets.ts';

// Nothing is drawn on a canvas here.
const chart = vi.hoisted(() => vi.fn((_: TimeSeriesChartProps) => null));
vi.mock('../../../ui/time-series-chart/time-series-chart.tsx', () => ({ TimeSeriesChart: chart }));

const DEVICE = '5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11';
const FROM = Date.UTC(2026, 4, 1, 8);
const HOUR = 3_600_000;
const field = (name: string, role: string | null, units: string | null) => ({
  ...{ name, units, role: role as never, factor: 1, offset: 0 },
});
const SOURCES: KnownSource[] = [
  {
    ...{ deviceId: DEVICE, table: 'solar', source: 'inv-1', kind: 'inverter' as never },
    fields: [
      field('St', 'state', null),
      field('Event', 'event', null),
      field('AC', 'acPower', 'W'),
      field('E', 'energyTotal', 'Wh'),
    ],
  },
];
const ROOF = {
  ...{
    _id: 'roof',
    name: 'Roof',
    parent: null,
    children: [],
    labels: [],
    machine: null,
    meta: {},
    settings: {},
  },
  signals: {
    sources: [{ deviceId: DEVICE, source: 'inv-1' }],
    fields: [],
    calculationFields: [],
    fieldConfig: [],
  },
} as unknown as Entity;

/** A board around one widget, whose questions are answered by `answer`. */
function show(
  View: (props: never) => unknown,
  settings: object,
  answer: (one: BoardQuestionInput) => object = () => ({}),
  more: Partial<BoardContext> = {},
) {
  const world = new EntityWorld({ entities: [ROOF], sources: SOURCES });
  const board = {
    ...{ wg: 'demo', entityId: 'roof', zone: 'UTC', isLive: false, isEditing: false, isDisplay: false },
    ...{ world, entities: [ROOF], sources: SOURCES, byId: new Map([['roof', ROOF]]) },
    span: { from: FROM, to: FROM + 4 * HOUR },
    ask: async (one: BoardQuestionInput) => ({ id: '0', ...answer(one) }),
    live: { start: () => () => {}, get: () => undefined, watch: () => () => {} },
    words: () => null,
    labels: [],
    zooming: { zoom: () => {}, zoomOut: () => {}, canZoomOut: false },
    ...{ widgetOf, settingsOf: fullSettings, sizeOf: () => ({ w: 8, h: 6 }), openEntity: () => {} },
    ...more,
  } as unknown as BoardContext;
  const item = { id: 'one', kind: 'text' } as BoardItem;
  const props = { item, settings, title: 'One', width: 600, height: 300 };
  const Drawn = View as unknown as (props: object) => React.ReactNode;
  return showScreen(
    <BoardRoom value={board}>
      <Suspense>
        <Drawn {...props} />
      </Suspense>
    </BoardRoom>,
  );
}

const stats = { min: 0, max: 1, avg: 1, first: 1, last: 1, count: 1, sum: 1 };
const points = (values: (number | null)[], stepMs = HOUR) => {
  const times = values.map((_, at) => FROM + at * stepMs);
  return { points: [{ stepMs, times, min: values, avg: values, max: values, stats }] };
};
const own = (role: string) => ({ over: 'self', role, combine: 'each' });

const states = (values: (number | string)[]) => ({
  states: [{ stepMs: HOUR, times: values.map((_, at) => FROM + at * HOUR), values }],
});

test('a state timeline says what was, and for how long, in a table too', async () => {
  await show(TimelineView, { streams: [own('state')] }, () => states([4, 4, 7, 4]));
  expect(await screen.findByRole('img', { name: /running 75 %, fault 25 %/ })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Show One as a table' }));
  expect(screen.getAllByRole('row')).toHaveLength(4);
});

test('a power of the grid has its way in a word beside the sign', async () => {
  const [source] = SOURCES;
  const sources = source
    ? [{ ...source, kind: 'meter' as never, fields: [field('P', 'gridPower', 'W')] }]
    : [];
  const get = () => ({ value: -371_000, eventAt: Date.now() });
  const live = { start: () => () => {}, get, watch: () => () => {} };
  const settings = settingsOf({ kind: 'number', settings: { stream: own('gridPower') } });
  const world = new EntityWorld({ entities: [ROOF], sources });
  await show(NumberView, settings as object, () => points([]), { live, world, sources } as never);
  expect(await screen.findByText('Grid export')).toBeTruthy();
  expect(document.body.textContent).toContain('−371.00kW');
});

test.each([
  ['MPPT', 'Blown string fuse', 'Blown string fuse', '1 with a warning'],
  ['MPPT', 'none', 'MPPT', '1 fine'],
  [7, 'Ground fault; Cabinet open', 'fault, Ground fault; Cabinet open', '1 in danger'],
  [4, 4096, 'Event 4096', '1 with a warning'],
  [4, 0, 'running', '1 fine'],
])('a machine in state %s that reports %s reads "%s"', async (state, event, said, sum) => {
  const values = new Map<string, number | string>([
    ['St', state],
    ['Event', event],
  ]);
  const get = ({ field }: { field: string }) => ({ value: values.get(field) ?? null, eventAt: Date.now() });
  const live = { start: () => () => {}, get, watch: () => () => {} };
  const settings = settingsOf({ kind: 'status', settings: { rows: 'self', stream: { role: 'state' } } });
  await show(StatusView, settings as object, undefined, { live });
  expect(await screen.findByText(said)).toBeTruthy();
  expect(screen.getByText(sum)).toBeTruthy();
});

test.each([
  [{ kWp: 30.8 }, '0 W (0 W – 40.00 kW)'],
  [{}, '0 W (0 W – 1 W)'],
])('the scale of a power that is 0 in the night ends at what %o says that it can be', async (meta, says) => {
  const live = {
    start: () => () => {},
    get: () => ({ value: 0, eventAt: Date.now() }),
    watch: () => () => {},
  };
  const roof = { ...ROOF, meta } as Entity;
  const settings = settingsOf({ kind: 'gauge', settings: { stream: own('acPower') } });
  await show(GaugeView, settings as object, () => points([0, 0]), { live, byId: new Map([['roof', roof]]) });
  expect(await screen.findByRole('img', { name: `One: ${says}` })).toBeTruthy();
});

test.each([
  ['nothing came yet', null, 0, '––', '2026-05-01T08:00Z_2026-05-01T12:00Z'],
  ['5 W came', 5, FROM + HOUR, '5 WMay 1, 2026 09:00:00', '2026-05-01T08:45Z_2026-05-01T09:00:00.001Z'],
])(
  'rows of a stream of which %s are looked for where they can be',
  async (_what, value, eventAt, says, range) => {
    const live = { start: () => () => {}, get: () => ({ value, eventAt }), watch: () => () => {} };
    const settings = settingsOf({ kind: 'gauge', settings: { stream: own('acPower') } });
    await show(GaugeView, settings as object, undefined, { live });
    await userEvent.click(await screen.findByRole('button', { name: 'Where One comes from' }));
    const link = await screen.findByRole('link', { name: 'Rows of AC of inv-1' });
    expect(link.closest('tr')?.textContent?.replaceAll('\u00A0', ' ')).toBe(`RoofCalculated: AC${says}Rows`);
    expect(new URL((link as HTMLAnchorElement).href).searchParams.get('range')).toBe(range);
  },
);

test('a source that a figure comes from stands with its labels', async () => {
  const sources = SOURCES.map((one) => ({ ...one, labels: ['pv'] }));
  const settings = settingsOf({ kind: 'gauge', settings: { stream: own('acPower') } });
  const live = { start: () => () => {}, get: () => ({ value: 5, eventAt: FROM }), watch: () => () => {} };
  fakeNetwork(() => ({ body: [{ id: DEVICE, name: 'Gateway' }] }));
  await show(GaugeView, settings as object, undefined, {
    live,
    world: new EntityWorld({ entities: [ROOF], sources }),
    labels: [
      { id: 'wind', name: 'Wind' },
      { id: 'pv', name: 'Solar' },
    ],
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Where One comes from' }));
  expect((await screen.findByText('Solar')).closest('td')?.textContent).toBe(
    'Gateway › inv-1 Solar › solar.AC',
  );
});

test('states that are words are shown as they are', async () => {
  await show(TimelineView, { streams: [own('state')] }, () => states(['MPPT', 'MPPT', 'MPPT', 'Sleeping']));
  expect(await screen.findByRole('img', { name: /MPPT 75 %, Sleeping 25 %/ })).toBeTruthy();
});

test('the last values stand with the newest first', async () => {
  const values = [
    [
      { at: FROM, value: 500 },
      { at: FROM + HOUR, value: 2500 },
    ],
  ];
  await show(LastView, { streams: [own('acPower')], count: 10 }, () => ({ values }));
  const rows = await screen.findAllByRole('row');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/09:00:00.*2\.5/),
    expect.stringMatching(/08:00:00.*0\.50 kW/),
  ]);
});

test('an energy summary begins with what was produced, and says what it came to', async () => {
  const asked = vi.fn(() => points([1000, 2000, null, 3000]));
  const flags = { hasProduction: true, hasEstimate: true, hasMeter: false, hasBudget: false };
  await show(EnergyView, { granularity: 'hour', chart: 'line', ...flags }, asked);
  expect(await screen.findByText('6.00 kWh')).toBeTruthy();
  expect(asked).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ interval: '1h', function: 'difference' }),
  );
});

test('a picture that is none says so', async () => {
  const picture = 'data:image/png;base64,AAAA';
  await show(ImageView, { picture, alt: 'Plan', marks: [] });
  fireEvent.error(await screen.findByRole('img', { name: 'Plan' }));
  expect(await screen.findByRole('alert')).toBeTruthy();
});

test('a device overview names the devices behind the entities, with whether they are there', async () => {
  signInAs();
  const facts = { online: false, stateChangedAt: FROM, cloudLastDataAt: FROM };
  fakeNetwork(() => ({
    body: [{ id: DEVICE, name: 'Gateway', ced: false, createdAt: 0, notAfter: null, facts }],
  }));
  // A calculation writes of the roof too, and is no device.
  const calculation = { ...SOURCES[0], deviceId: crypto.randomUUID(), entity: 'roof' } as KnownSource;
  const world = new EntityWorld({ entities: [ROOF], sources: [...SOURCES, calculation] });
  await show(DevicesView, { rows: 'self' }, undefined, { world });
  expect(await screen.findAllByRole('link')).toHaveLength(1);
  expect(await screen.findByRole('link', { name: /Gateway/ })).toBeTruthy();
  expect(screen.getByText('1 offline')).toBeTruthy();
});

test('a saved search shows what it finds', async () => {
  signInAs();
  const id = '0c5f7b1e-8f5e-4d39-9d0f-0f6f0c1d2e3f';
  const kept = {
    ...{
      _id: id,
      name: 'Faults',
      table: 'solar',
      filters: [],
      filterOperator: 'AND',
      dateField: 'event_time',
    },
    ...{ timezone: null, sort: '-event_time', fields: ['event_time', 'St'] },
  };
  fakeNetwork(({ path }) => ({ body: path.includes('/searches/') ? kept : [] }));
  const records = [{ event_time: '2026-05-01T08:00:00Z', St: 7 }];
  const result = { records, totalRecords: 1, took: 1, aggregations: {}, timedOut: false };
  await show(SearchView, { search: id }, () => ({ result }));
  expect(await screen.findByRole('link', { name: 'Faults' })).toBeTruthy();
  expect(screen.getByRole('cell', { name: '7' })).toBeTruthy();
});

test('a command runs only after somebody said yes, on the devices behind the entity', async () => {
  signInAs();
  const id = '0c5f7b1e-8f5e-4d39-9d0f-0f6f0c1d2e3f';
  const command = {
    _id: id,
    device: null,
    name: 'Restart',
    description: '',
    command: 'x',
    parameters: [],
    timeoutS: 60,
  };
  const outcome = {
    deviceId: DEVICE,
    state: 'done',
    stdout: '',
    stderr: '',
    returnCode: 0,
    error: null,
    tookMs: 1,
  };
  const asked = fakeNetwork(({ path }) => ({
    body: path.endsWith('/run') ? { id: 'r1' } : path.includes('command-runs') ? [outcome] : [command],
  }));
  await show(CommandsView, { commands: [id], order: 'single', rows: 'self' });
  await userEvent.click(await screen.findByRole('button', { name: 'Restart' }));
  expect(asked.some(({ method }) => method === 'POST')).toBe(false);
  expect(await screen.findByRole('dialog', { name: 'Run command?' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Run command' }));
  expect(await screen.findByText('Restart ran on 1 device')).toBeTruthy();
  expect(asked.find(({ method }) => method === 'POST')?.body).toEqual({ devices: [DEVICE], values: {} });
});

/** A board of all sites by their own clocks: one in Lisbon, one in Auckland. */
function ofTwoSites(): Partial<BoardContext> {
  const site = (id: string, timezone: string) => ({
    ...ROOF,
    _id: id,
    name: id,
    parent: 'all',
    meta: { timezone },
  });
  const withSource = (one: Entity, deviceId: string): Entity => ({
    ...one,
    signals: { ...one.signals, sources: [{ deviceId, source: 'inv-1' }] },
  });
  const other = DEVICE.replace('5f', '6f');
  const entities = [
    { ...ROOF, _id: 'all', name: 'All', signals: { ...ROOF.signals, sources: [] } },
    withSource(site('lisbon', 'Europe/Lisbon'), DEVICE),
    withSource(site('auckland', 'Pacific/Auckland'), other),
  ] as Entity[];
  const [known] = SOURCES as [KnownSource];
  const sources = [known, { ...known, deviceId: other }];
  return {
    ...{ entities, sources, byId: new Map(entities.map((one) => [one._id, one])) },
    ...{ world: new EntityWorld({ entities, sources }), entityId: 'all', isSiteTime: true },
  } as Partial<BoardContext>;
}

test('the energy of today adds up the day of each site by its own clock', async () => {
  const asked: BoardQuestionInput[] = [];
  const answer = (one: BoardQuestionInput) => {
    asked.push(one);
    const [first] = points([1500]).points;
    const series = one.kind === 'series' ? one.series : [];
    return { points: series.map(() => first) };
  };
  const stream = { over: 'descendants', role: 'energyTotal', combine: 'sum' };
  const settings = { stream, function: 'difference', hasSparkline: false, thresholds: [] };
  await show(NumberView, settings, answer, { ...ofTwoSites(), range: { kind: 'preset', preset: 'today' } });
  expect(await screen.findByText('3.00')).toBeTruthy();
  expect(screen.getByText('each site’s local time')).toBeTruthy();
  const spans = asked.flatMap((one) =>
    one.kind === 'series' ? one.series.flatMap(({ span }) => (span ? [span] : [])) : [],
  );
  const hours = (zone: string, at: number) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short' }).format(at);
  expect([
    hours('Europe/Lisbon', Number(spans[0]?.from)),
    hours('Pacific/Auckland', Number(spans[1]?.from)),
  ]).toEqual(['00:00', '00:00']);
});

test('a heat map of entities against the best one asks for each of them by itself', async () => {
  const asked: BoardQuestionInput[] = [];
  show(
    HeatView as never,
    settingsOf({
      ...{ id: 'heat', kind: 'heat' },
      settings: { by: 'peers', interval: '1h', stream: { over: 'self', role: 'acPower', combine: 'sum' } },
    }) as object,
    (one) => {
      asked.push(one);
      return { points: [{ times: [FROM, FROM + HOUR], avg: [10, 20], stats: {} }] };
    },
  );
  await screen.findByText('50.0 %');
  screen.getByText('100.0 %');
  expect(asked[0]).toMatchObject({ kind: 'series', interval: '1h', series: [{ combine: 'sum' }] });
});

test('bars of days are the days of each site by its own clock, over one another', async () => {
  const DAY = 24 * HOUR;
  const answer = (one: BoardQuestionInput) => ({
    points:
      one.kind === 'series'
        ? one.series.map(({ span = { from: 0, to: 0 } }) => ({
            ...{ stepMs: DAY, times: [span.from, span.from + DAY], avg: [1, 2], min: [1, 2], max: [1, 2] },
            stats: { count: 2, min: 1, avg: 1.5, max: 2, last: 2 },
          }))
        : [],
  });
  const stream = { over: 'descendants', role: 'energyTotal', combine: 'sum', isPerChild: true };
  const settings = { streams: [stream], function: 'difference', interval: '1d', hasLegend: true };
  await show(BarsView, settings, answer, {
    ...ofTwoSites(),
    range: { kind: 'preset', preset: 'last-3-days' },
  });
  await vi.waitFor(() => expect(chart).toHaveBeenCalled());
  const { series, span, zoneName } = chart.mock.lastCall?.[0] ?? { series: [], span: { from: 0, to: 0 } };
  expect(zoneName).toBe('each site’s local time');
  expect(series).toHaveLength(2);
  for (const { points } of series)
    for (const at of points.times) {
      expect(new Date(at).toISOString()).toMatch(/T00:00:00.000Z$/);
      expect(at >= span.from && at <= span.to).toBe(true);
    }
});

const shown: { current: WidgetData | null } = { current: null };
const Framed = (props: Parameters<typeof NumberView>[0]) => (
  <ShownData value={shown}>
    <NumberView {...props} />
  </ShownData>
);

test('a figure says what it shows for its table and its file, with all of its digits', async () => {
  show(
    Framed as never,
    settingsOf({
      ...{ id: 'peak', kind: 'number' },
      settings: { function: 'max', stream: { over: 'self', role: 'acPower', combine: 'sum' } },
    }) as object,
    () => ({ points: [{ times: [FROM], avg: [1], stats: { min: 1, avg: 1, max: 12_345.678 } }] }),
  );
  await screen.findByText('12.35');
  expect(shown.current?.rows[0]?.slice(1, 3)).toEqual([12_345.678, 'W']);
});

const Peaks = () => (
  <WidgetTable
    title="One"
    data={{ head: ['What', 'Time'], rows: [['Peak', new Date(FROM)]] }}
    onClose={() => {}}
  />
);

test('a table says instants in the zone of the board, and which that is', async () => {
  await show(Peaks, {}, undefined, { zone: 'Asia/Tokyo' });
  const table = await screen.findByRole('table');
  expect(table.textContent).toContain('17:00');
  expect(table.textContent).toContain('Tokyo, UTC+09:00');
});

test('since when nothing is wrong is said where the board shows all, not where it shows a part', async () => {
  signInAs();
  fakeNetwork(({ path }) => ({
    body: path.includes('/glance/') ? { at: Date.now(), plants: [], calmSince: Date.UTC(2020, 10, 16) } : [],
  }));
  const site = { ...ROOF, _id: 'site', name: 'Site' };
  const roof = { ...ROOF, parent: 'site' };
  const more = {
    entities: [site, roof],
    byId: new Map([site, roof].map((entity) => [entity._id, entity])),
    world: new EntityWorld({ entities: [site, roof], sources: SOURCES }),
  };
  const settings = { rows: 'descendants', most: 5 };
  const { unmount } = await show(IncidentsView, settings, undefined, { ...more, entityId: 'site' });
  expect(await screen.findByText('Nothing has been wrong since Nov 16, 2020')).toBeTruthy();
  unmount();
  await show(IncidentsView, settings, undefined, { ...more, entityId: 'roof' });
  expect(await screen.findByText('Nothing is wrong')).toBeTruthy();
});
