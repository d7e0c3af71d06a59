/** The boards of the demo, as they would be sent to the API. */

type KpiIds = ReadonlyMap<string, string>;

const sum = (role: string, more: object = {}) => ({ over: 'descendants', role, combine: 'sum', ...more });
const mean = (role: string, more: object = {}) => ({ over: 'descendants', role, combine: 'mean', ...more });
const own = (role: string, more: object = {}) => ({ over: 'self', role, combine: 'each', ...more });
const at = (x: number, y: number, w: number, h: number) => ({ x, y, w, h });
const item = (id: string, kind: string, title: string, place: object, settings: object) => ({
  ...{ id, kind, title, place, settings },
});
/** A part or a line of a diagram that shows a value. */
const part = (id: string, symbol: string, name: string, stream?: object) => ({
  ...{ id, symbol, name, ...(stream && { stream }) },
});
const line = (from: string, to: string, stream: object, isReversed = false) => ({
  ...{ id: `${from}-${to}`, from, to, stream, idle: 5, ...(isReversed && { isReversed }) },
});
/** What the counters counted. */
const ENERGY = { stream: sum('energyTotal'), function: 'difference' };
const TODAY = { ...ENERGY, range: 'today' };

const overviewWith = (kpis: KpiIds) => ({
  type: 'entity',
  typeId: 'portfolio',
  name: 'Overview',
  board: {
    zone: 'collected',
    items: [
      item('wrong', 'incidents', 'What is wrong', at(0, 0, 14, 6), { rows: 'descendants' }),
      item('power', 'number', 'Power now', at(14, 0, 5, 4), { stream: sum('acPower') }),
      item('expected', 'expected', 'Energy today', at(19, 0, 5, 4), {}),
      item('plants', 'plants', 'Plants, worst first', at(14, 4, 10, 6), {}),
      item('grid', 'number', 'Grid', at(0, 6, 7, 4), { stream: sum('gridPower') }),
      item('week', 'number', 'Energy, last 7 days', at(7, 6, 7, 4), { ...ENERGY, range: 'last-7-days' }),
      item('map', 'map', 'Sites', at(0, 10, 10, 10), { rows: 'children', stream: sum('acPower') }),
      // An inverter that lost a string lies some percent below those beside it, asleep or not.
      item('worst', 'league', 'Yield against peers, last 7 days', at(0, 20, 12, 11), {
        rows: 'label',
        label: 'inverter',
        by: 'kpi',
        figure: { kpi: kpis.get('Yield against peers') },
        range: 'last-7-days',
        most: 19,
        decimals: 1,
        thresholds: [
          { from: 0, level: 'danger' },
          { from: 85, level: 'warning' },
          { from: 97, level: 'ok' },
        ],
      }),
      item('powers', 'lines', 'Power by site', at(10, 10, 14, 10), {
        streams: [sum('acPower', { isPerChild: true })],
        range: 'last-3-days',
      }),
      item('energies', 'bars', 'Energy by site', at(12, 20, 12, 11), {
        streams: [sum('energyTotal', { isPerChild: true })],
        interval: '1d',
        range: 'last-7-days',
      }),
      item('sites', 'table', 'Sites today', at(0, 31, 14, 8), {
        rows: 'children',
        columns: [
          { stream: sum('acPower'), name: 'Power' },
          { ...ENERGY, name: 'Energy' },
          { stream: sum('gridPower'), name: 'Grid' },
          { stream: mean('irradiancePoa'), name: 'Irradiance' },
          { figure: { kpi: kpis.get('Performance ratio') }, name: 'Performance ratio' },
        ],
        range: 'today',
      }),
      item('states', 'status', 'Inverters', at(14, 31, 10, 8), {
        rows: 'label',
        label: 'inverter',
        stream: own('state'),
      }),
    ],
  },
});

const SINGLE_LINE = {
  nodes: [
    part('sun', 'sun', 'Irradiance', mean('irradiancePoa')),
    part('panels', 'panels', 'Modules', sum('dcPower')),
    part('inverters', 'inverter', 'Inverters', sum('acPower')),
    part('bus', 'bus', 'Low voltage'),
    part('works', 'load', 'Works'),
    part('meter', 'meter', 'Meter', sum('gridPower')),
    part('transformer', 'transformer', 'Transformer'),
    part('grid', 'grid', 'Grid'),
  ],
  edges: [
    line('sun', 'panels', mean('irradiancePoa')),
    line('panels', 'inverters', sum('dcPower')),
    line('inverters', 'bus', sum('acPower')),
    { id: 'bus-works', from: 'bus', to: 'works' },
    // The meter counts what comes from the grid as positive.
    line('bus', 'meter', sum('gridPower'), true),
    line('meter', 'transformer', sum('gridPower'), true),
    line('transformer', 'grid', sum('gridPower'), true),
  ],
};

/** A KPI over the last 30 days. */
const kpi = (id: string, name: string, x: number, kpis: KpiIds) =>
  item(id, 'kpi', `${name}, 30 days`, at(x, 30, 6, 4), {
    figure: { kpi: kpis.get(name) },
    range: 'last-30-days',
  });

const siteWith = (kpis: KpiIds) => ({
  type: 'label',
  typeId: 'site',
  name: 'Site',
  board: {
    zone: 'collected',
    items: [
      item('power', 'number', 'Power', at(0, 0, 6, 4), { stream: sum('acPower') }),
      item('today', 'number', 'Energy today', at(6, 0, 6, 4), TODAY),
      item('light', 'number', 'Irradiance', at(12, 0, 6, 4), { stream: mean('irradiancePoa') }),
      item('grid', 'number', 'Grid', at(18, 0, 6, 4), { stream: sum('gridPower') }),
      item('flow', 'flow', 'Energy flow', at(0, 4, 9, 10), {}),
      item('day', 'lines', 'Generation and grid', at(9, 4, 15, 10), {
        streams: [
          sum('acPower', { name: 'Generation' }),
          sum('gridPower', { name: 'Grid, import positive' }),
        ],
      }),
      item('balance', 'flow', 'Where the energy of 7 days went', at(0, 14, 9, 9), {
        of: 'energy',
        range: 'last-7-days',
      }),
      item('days', 'bars', 'Energy by day', at(9, 14, 15, 9), {
        streams: [sum('energyTotal', { name: 'Generated' })],
        interval: '1d',
        range: 'last-14-days',
      }),
      item('single', 'diagram', 'Single line', at(0, 23, 24, 7), { drawing: SINGLE_LINE }),
      kpi('ratio', 'Performance ratio', 0, kpis),
      kpi('yield', 'Specific yield', 6, kpis),
      kpi('own-use', 'Self-consumption', 12, kpis),
      kpi('there', 'Availability', 18, kpis),
      item('inverters', 'table', 'Inverters', at(0, 34, 14, 10), {
        rows: 'label',
        label: 'inverter',
        columns: [
          { stream: own('acPower'), name: 'Power' },
          { stream: own('energyTotal'), function: 'difference', name: 'Energy' },
          {
            stream: own('deviceTemperature'),
            name: 'Temperature',
            thresholds: [{ from: 70, level: 'warning' }],
          },
        ],
      }),
      item('states', 'status', 'States', at(14, 34, 10, 10), {
        rows: 'label',
        label: 'inverter',
        stream: own('state'),
      }),
    ],
  },
});

const inverter = {
  type: 'label',
  typeId: 'inverter',
  name: 'Inverter',
  board: {
    zone: 'collected',
    items: [
      item('power', 'gauge', 'AC power', at(0, 0, 5, 6), { stream: own('acPower') }),
      item('dial', 'speedometer', 'DC power', at(5, 0, 5, 6), { stream: own('dcPower') }),
      item('today', 'number', 'Energy today', at(10, 0, 4, 6), { ...TODAY, stream: own('energyTotal') }),
      item('state', 'status', 'State', at(14, 0, 5, 6), { rows: 'self', stream: own('state') }),
      item('heat', 'cylinder', 'Cabinet temperature', at(19, 0, 5, 6), {
        stream: own('deviceTemperature'),
        max: 90,
        thresholds: [
          { from: 0, level: 'ok' },
          { from: 70, level: 'warning' },
        ],
      }),
      item('powers', 'lines', 'AC and DC power', at(0, 6, 14, 10), {
        streams: [own('acPower'), own('dcPower')],
      }),
      item('days', 'bars', 'Energy by day', at(14, 6, 10, 10), {
        streams: [own('energyTotal')],
        interval: '1d',
        range: 'last-14-days',
      }),
      item('currents', 'lines', 'AC current', at(0, 16, 12, 8), { streams: [own('acCurrent')] }),
      item('frequencies', 'lines', 'Grid frequency', at(12, 16, 12, 8), { streams: [own('frequency')] }),
    ],
  },
};

const wall = {
  type: 'entity',
  typeId: 'portfolio',
  name: 'Wall',
  board: {
    zone: 'collected',
    items: [
      item('power', 'number', 'Power of all sites', at(0, 0, 12, 6), { stream: sum('acPower') }),
      item('today', 'number', 'Energy today', at(12, 0, 12, 6), TODAY),
      {
        ...item('each', 'group', '', at(0, 6, 24, 20), { repeat: 'children', across: 3 }),
        items: [
          item('site-power', 'number', 'Power', at(0, 0, 12, 4), { stream: sum('acPower') }),
          item('site-today', 'number', 'Energy today', at(12, 0, 12, 4), TODAY),
          item('site-flow', 'flow', 'Energy flow', at(0, 4, 24, 9), {}),
        ],
      },
    ],
  },
};

/** `kpis` are the ids of the demo's KPIs by their names. */
export const demoBoards = (kpis: KpiIds) => [overviewWith(kpis), siteWith(kpis), inverter, wall];
