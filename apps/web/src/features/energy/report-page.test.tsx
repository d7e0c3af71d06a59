import type { EnergyReport, ReportRow } from '@albedo/contract/energy/energy.schema';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { takeWorkgroups } from '../../app/session.ts';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { Report } from './report-page.tsx';

vi.mock('../../ui/time-series-chart/time-series-chart.tsx', () => ({ TimeSeriesChart: () => null }));

const HILLTOP = '6f9619ff-8b86-4d01-b42d-00c04fc964ff';
const row = (name: string, values: ReportRow['values'], rest: Partial<ReportRow> = {}): ReportRow => ({
  scope: `device:${HILLTOP}`,
  level: 'device',
  name,
  deviceId: HILLTOP,
  table: null,
  source: null,
  day: null,
  values,
  reasons: {},
  curtailedHours: null,
  ...rest,
});
const report = (rest: Partial<EnergyReport> = {}): EnergyReport => ({
  report: 'energy',
  from: '2026-10-01',
  to: '2026-10-31',
  granularity: 'day',
  timezone: 'Europe/Berlin',
  listed: 'devices',
  path: [{ scope: 'portfolio', name: 'Portfolio' }],
  columns: [
    { key: 'production', kind: 'energy', units: 'kWh' },
    { key: 'deviation', kind: 'ratio', units: '' },
    { key: 'meter', kind: 'energy', units: 'kWh' },
  ],
  rows: [
    row('Hilltop', { production: 11_800, deviation: -0.052, meter: null }, { reasons: { meter: 'noMeter' } }),
    row('Harbour', { production: 9_200, deviation: 0.031, meter: 9_100 }, { scope: 'device:b' }),
  ],
  total: { values: { production: 21_000, deviation: -0.02 }, reasons: {} },
  before: {
    from: '2026-09-01',
    to: '2026-09-30',
    values: { production: 20_000, deviation: -0.01 },
    reasons: {},
  },
  periods: ['2026-10-01', '2026-10-02'],
  series: [{ key: 'production', values: [600, null] }],
  notes: [],
  missing: [],
  computedAt: null,
  ...rest,
});

function network(answer: EnergyReport, selections: object = {}) {
  return fakeNetwork(({ path, method }) => {
    if (path.endsWith('/selections')) return { body: selections };
    if (method === 'PUT') return { body: {} };
    if (path.includes('/reports/')) return { body: answer };
    return { body: [] };
  });
}
const show = (address = '/', name: EnergyReport['report'] = 'energy') =>
  showScreen(<Report name={name} />, address);

beforeEach(() => {
  signInAs();
  takeWorkgroups([
    { name: 'demo', displayName: 'Demo', addons: [{ id: 'daily-energy' }], settings: {} } as never,
  ]);
});

test('a report shows its totals with what they were before, and its rows', async () => {
  network(report());
  await show();
  const totals = await screen.findByRole('region', { name: 'Totals' });
  expect(within(totals).getByText('21.00')).toBeTruthy();
  expect(within(totals).getByText('+5.0 %')).toBeTruthy();
  expect(within(totals).getByText('before 20.00 MWh')).toBeTruthy();
  // One step for the whole column.
  await screen.findByText('Hilltop');
  const rows = screen.getAllByRole('row');
  expect(rows.some((one) => one.textContent?.includes('11.80') && one.textContent.includes('Hilltop'))).toBe(
    true,
  );
  expect(rows.some((one) => one.textContent?.includes('9.20') && one.textContent.includes('+3.1'))).toBe(
    true,
  );
});

test('a figure that is not there is a dash whose reason can be read', async () => {
  network(report());
  await show();
  const line = (await screen.findAllByRole('row')).find((one) => one.textContent?.includes('Hilltop'));
  expect(line?.textContent).toContain('– (The production meter has no readings.)');
  expect(screen.getByRole('list', { name: 'Why figures are missing or marked' }).textContent).toContain(
    '1 figure:',
  );
});

test('a figure of a time with limits says how long they held', async () => {
  const reasons = { production: 'curtailed' as const };
  network(
    report({
      rows: [row('Hilltop', { production: 11_800 }, { reasons, curtailedHours: 3.25 })],
      notes: [{ reason: 'curtailed', value: 3.25, names: ['Hilltop'] }],
    }),
  );
  await show();
  expect(await screen.findAllByText(/Power was limited for 3 h 15 min/)).toHaveLength(2);
});

test('a row leads to what stands below it, and the path leads back', async () => {
  const asked = network(report());
  const { router } = await show();
  await userEvent.click(await screen.findByText('Hilltop'));
  await vi.waitFor(() => expect(router.state.location.search).toMatchObject({ scope: `device:${HILLTOP}` }));
  await vi.waitFor(() => expect(asked.filter(({ path }) => path.includes('/reports/'))).toHaveLength(2));
});

test('an empty report says what it lacks, and leads those who may set it there', async () => {
  const missing = [
    { reason: 'noIrradiance' as const, config: 'performance-ratio-config' as const, names: ['Hilltop'] },
  ];
  network(report({ rows: [], total: { values: {}, reasons: {} }, series: [], before: null, missing }));
  await show();
  expect(await screen.findByText(/No irradiance was measured or supplied. Concerns Hilltop./)).toBeTruthy();
  const link = screen.getByRole('link', { name: 'Set up Expected energy' });
  expect(link.getAttribute('href')).toBe('/admin/reports/performance-ratio-config');
});

test('who may not set it reads who can', async () => {
  const scope = { role: 'readonly', permissions: ['read'], ps: 'rd', devGroup: null, scopes: { device: [] } };
  signInAs({ scopes: { demo: scope } });
  takeWorkgroups([
    { name: 'demo', displayName: 'Demo', addons: [{ id: 'daily-energy' }], settings: {} } as never,
  ]);
  const missing = [{ reason: 'noBudget' as const, config: 'meter-data-config' as const, names: [] }];
  network(report({ rows: [], missing }));
  await show();
  expect(await screen.findByText(/A coordinator of the workgroup sets it up/)).toBeTruthy();
  expect(screen.queryByRole('link', { name: /Set up/ })).toBeNull();
});

test('without a choice in its address a report shows what was looked at last', async () => {
  network(report(), { energy: '?range=this-month&by=week' });
  const { router } = await show();
  await vi.waitFor(() =>
    expect(router.state.location.search).toMatchObject({ range: 'this-month', by: 'week' }),
  );
});

test('an address with a choice keeps it', async () => {
  network(report(), { energy: '?range=this-month' });
  const { router } = await show('/?range=yesterday');
  await screen.findByText('Hilltop');
  expect(router.state.location.search).toMatchObject({ range: 'yesterday' });
});

test('a finding is left out with a reason', async () => {
  const finding = row(
    'inv-01',
    { rule: 'zero', value: 0 },
    {
      level: 'finding',
      table: 'solar',
      source: 'inv-01',
      day: '2026-10-03',
      scope: `source:${HILLTOP}/solar/inv-01`,
    },
  );
  const columns: EnergyReport['columns'] = [
    { key: 'rule', kind: 'text', units: '' },
    { key: 'value', kind: 'energy', units: 'kWh' },
  ];
  const asked = network(report({ report: 'daily-energy-anomalies', columns, rows: [finding], series: [] }));
  await show('/', 'daily-energy-anomalies');
  await userEvent.click(await screen.findByText('inv-01'));
  await userEvent.click(await screen.findByRole('radio', { name: /Leave the day out/ }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Reason' }), 'Grid outage');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() =>
    expect(asked.find(({ method }) => method === 'POST')?.body).toMatchObject({
      deviceId: HILLTOP,
      table: 'solar',
      source: 'inv-01',
      day: '2026-10-03',
      decision: 'exclude',
      reason: 'Grid outage',
    }),
  );
});
