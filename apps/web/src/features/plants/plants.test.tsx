import type { LatestSource } from '@albedo/contract/devices/devices.schema';
import type { PlantDetail, PlantSummary } from '@albedo/contract/plants/plants.schema';
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { buildDevice } from '../../app/test-device.ts';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { buildIncident } from '../incidents/test-incident.ts';
import { areaPath, linePath, niceTop } from './paths.ts';
import { PlantPanel } from './plant-panel.tsx';
import { PlantsBand } from './plants-band.tsx';

const NOW = Date.now();
const DAY = { from: NOW - 12 * 3_600_000, to: NOW + 12 * 3_600_000 };
const reading = (value: number | null, at: number | null = NOW) =>
  value === null
    ? { value, at, missing: at === null ? ('noSource' as const) : ('silent' as const) }
    : { value, at, missing: null };

const inverter = (source: string): PlantDetail['sources'][number] => ({
  table: 'solar',
  source,
  kind: 'inverter',
  places: {
    acPower: { field: 'AC Power', factor: 1000, offset: 0 },
    state: { field: 'Status', factor: 1, offset: 0 },
  },
  energyTodayWh: 42_000,
  doubtedWh: 0,
  energyFrom: 'counter',
});
const plant: PlantDetail = {
  kind: 'plant',
  zone: 'Africa/Johannesburg',
  day: DAY,
  isPartial: false,
  ratedPowerW: 50_000,
  peakPowerW: 60_000,
  sources: [
    inverter('inv-01'),
    inverter('inv-02'),
    {
      table: 'weather',
      source: 'station',
      kind: 'station',
      places: { irradiancePoa: { field: 'POA', factor: 1, offset: 0 } },
      energyTodayWh: null,
      doubtedWh: 0,
      energyFrom: null,
    },
  ],
  today: { energyWh: 84_000, doubtedWh: 0, importedWh: null, exportedWh: null, irradiationWhM2: null },
  curve: {
    stepMs: 300_000,
    times: [DAY.from],
    powerW: [20_000],
    poaWm2: [500],
    gridW: [null],
    clearSkyW: null,
  },
  clearSkyNeeds: ['position'],
  findings: [
    { kind: 'below', source: 'inv-02', since: Date.UTC(2026, 10, 11, 12), percent: 24.2, by: 'irradiance' },
  ],
};
const latest = (source: string, values: LatestSource['values'], eventAt = NOW): LatestSource => ({
  table: source === 'station' ? 'weather' : 'solar',
  source,
  eventAt,
  values,
});

beforeEach(() => {
  signInAs();
});

async function showPlant(sources: LatestSource[], of: Partial<PlantDetail> = {}) {
  fakeNetwork(({ path }) => {
    if (path.includes('/glance/')) return { body: { at: NOW, plants: [], calmSince: null } };
    if (path.includes('/entities/')) return { body: [] };
    return { body: path.endsWith('/plant') ? { ...plant, ...of } : sources };
  });
  await showScreen(<PlantPanel device={buildDevice('Hilltop')} />);
}

test('a plant says what it gives, what part of it that is, and what is wrong, in a sentence', async () => {
  await showPlant([
    latest('inv-01', { 'AC Power': 21, Status: 'MPPT' }),
    latest('inv-02', { 'AC Power': 17, Status: 'MPPT' }),
    latest('station', { POA: 870 }),
  ]);
  expect(await screen.findByText('inv-02 gives 24 % less than expected since Nov 11')).toBeTruthy();
  expect(screen.getByText('76 % of 50.00 kW')).toBeTruthy();
  expect(screen.getByText('2 of 2 give power')).toBeTruthy();
  expect(screen.getByRole('img', { name: /Sun 870 W\/m², Inverters 38.00 kW, Site –, Grid –/ })).toBeTruthy();
  expect(screen.getByText('24 % less')).toBeTruthy();
  expect(screen.getByText(/Add Latitude and Longitude/)).toBeTruthy();
});

test("axis and legend of today's power take one step, and a figure that stands alone its own", async () => {
  const curve = {
    ...(plant.curve as NonNullable<PlantDetail['curve']>),
    powerW: [320_000],
    clearSkyW: [1_300_000],
  };
  await showPlant([latest('inv-01', { 'AC Power': 320 }), latest('inv-02', { 'AC Power': 0 })], { curve });
  const figure = (await screen.findByRole('img', { name: /^Power today/ })).closest('figure') as HTMLElement;
  expect(within(figure).getByText('0.32 MW')).toBeTruthy();
  expect(within(figure).getByText('1.30 MW')).toBeTruthy();
  const tile = screen.getByText('Power now').parentElement as HTMLElement;
  expect(tile.textContent).toContain('320.00kW');
});

test('energy that the rating does not allow is left out, and the page says so', async () => {
  await showPlant(
    [
      latest('inv-01', { 'AC Power': 21 }),
      latest('inv-02', { 'AC Power': 17 }),
      latest('station', { POA: 870 }),
    ],
    { today: { ...plant.today, doubtedWh: 429_496_000 } },
  );
  expect(await screen.findByText('Without 429.50 MWh that the rating does not allow')).toBeTruthy();
});

test('a missing value is a dash with its reason, and a silent inverter is no zero', async () => {
  const old = NOW - 3_600_000;
  await showPlant([latest('inv-01', { 'AC Power': 21 }), latest('inv-02', { 'AC Power': 17 }, old)], {
    findings: [],
  });
  expect((await screen.findAllByText('No source measures it')).length).toBe(2);
  const silent = screen.getByText('inv-02').closest('li') as HTMLElement;
  expect(within(silent).getByText('–')).toBeTruthy();
  expect(within(silent).getByText(/Silent, last 1 h ago/)).toBeTruthy();
  expect(screen.getByText('1 of 2 give power')).toBeTruthy();
});

test('a device that is no plant has nothing of it', async () => {
  await showPlant([], { kind: 'computer', sources: [], curve: null, findings: [] });
  await expect.poll(() => screen.queryByRole('status')).toBeNull();
  expect(document.body.textContent).not.toContain('Power now');
});

const summary = (name: string, of: Partial<PlantSummary> = {}): PlantSummary => ({
  device: buildDevice(name).id,
  name,
  zone: 'UTC',
  day: DAY,
  isPartial: false,
  ratedPowerW: 100_000,
  power: reading(25_000),
  grid: reading(null, null),
  poa: reading(0),
  inverters: { total: 2, producing: 2, troubled: 0, silent: 0 },
  energyTodayWh: 250_000,
  doubtedWh: 0,
  powersW: [0, 1000, null, 2000],
  findings: [],
  ...of,
});

test('the band adds the plants up, and puts those first that need a look', async () => {
  const plants = [
    summary('Riverside'),
    summary('Harbour', { power: reading(null, NOW - 3_600_000), findings: [] }),
    summary('Hilltop', {
      findings: [{ kind: 'standing', source: 'inv-01', since: null, percent: null, by: null }],
    }),
  ];
  fakeNetwork(({ path }) => ({ body: path.includes('/incidents/') ? [] : { at: NOW, plants } }));
  await showScreen(<PlantsBand />);
  const links = await screen.findAllByRole('link');
  expect(links.map((link) => /Riverside|Harbour|Hilltop/.exec(link.textContent ?? '')?.[0])).toEqual([
    'Hilltop',
    'Riverside',
    'Harbour',
  ]);
  expect(screen.getByText('50.00 kW now')).toBeTruthy();
  expect(screen.getByText('750.00 kWh today, local time')).toBeTruthy();
  expect(screen.getByText('inv-01 gives no power in good light')).toBeTruthy();
  expect(screen.getByText('Last value 1 h ago')).toBeTruthy();
});

test('what an incident tells of a plant stands on its card in the same words, and nothing of it twice', async () => {
  const plant = summary('Hilltop', {
    findings: [
      { kind: 'standing', source: 'inv-01', since: null, percent: null, by: null },
      { kind: 'silent', source: 'inv-02', since: null, percent: null, by: null },
    ],
  });
  const incident = buildIncident('Inverter 1', { device: plant.device, source: 'inv-01' });
  fakeNetwork(({ path }) => ({
    body: path.includes('/incidents/') ? [incident] : { at: NOW, plants: [plant] },
  }));
  await showScreen(<PlantsBand />);
  const link = await screen.findByRole('link', { name: /Inverter 1 gives no power in good light/ });
  expect(link.getAttribute('href')).toContain(`incident=${incident._id}`);
  // The other one is told by no incident.
  expect(link.textContent).toMatch(/ .*1 more/);
  expect(screen.queryByText(/inv-01/)).toBeNull();
});

test('without plants there is no band, and a failure says so', async () => {
  fakeNetwork(() => ({ status: 503, body: { code: 503, error: 'server.busy', message: 'Busy' } }));
  await showScreen(<PlantsBand />);
  expect((await screen.findByRole('alert')).textContent).toContain('could not be loaded');
});

test('gaps break a line and its area', () => {
  const places = [[0, 1], [1, 2], null, [3, 4]] as const;
  expect(linePath(places)).toBe('M0 1L1 2M3 4');
  expect(areaPath(places, 9)).toBe('M0 9L0 1L1 2L1 9ZM3 9L3 4L3 9Z');
  expect([0, 47, 1500, 99_000].map(niceTop)).toEqual([1, 50, 1500, 100_000]);
});

test('a day that is still on its way has no energy yet, neither of one plant nor of all', async () => {
  const filling = { days: 397, share: 0.1, msLeft: null, wholeFrom: DAY.from + 1 };
  const answers = { filling: { filling }, plants: { at: NOW, plants: [summary('Hilltop')] } };
  fakeNetwork(({ path }) => ({
    body: path.endsWith('/filling') ? answers.filling : path.includes('/plants') ? answers.plants : [],
  }));
  await showScreen(<PlantsBand />);
  expect((await screen.findAllByText('History is arriving')).length).toBe(2);
  expect(screen.queryByText(/today/)).toBeNull();
});
