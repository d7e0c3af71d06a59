import type { Entity } from '@albedo/contract/entities/entities.schema';
import { NO_SIGNALS } from '@albedo/contract/entities/entities.schema';
import { templateValues } from '@albedo/contract/kpis/kpi-templates';
import type { Kpi, KpiAnswer } from '@albedo/contract/kpis/kpis.schema';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { KpiList } from './kpi-list.tsx';
import { KpiContent } from './kpi-page.tsx';

const hilltop: Entity = {
  _id: 'hilltop',
  name: 'Hilltop',
  parent: null,
  labels: [],
  machine: null,
  children: [],
  meta: {},
  signals: NO_SIGNALS,
  settings: {},
  version: 1,
};
const kpi: Kpi = {
  _id: '6f9619ff-8b86-4d01-b42d-00c04fc964ff',
  name: 'Yield',
  description: '',
  values: templateValues('specificYield'),
  version: 3,
  updatedAt: 0,
};
const of = (value: number | null, rest: object) => ({
  displayName: '',
  isPrimary: false,
  value,
  coverage: 0.9,
  count: 12,
  uses: [],
  streamCount: 1,
  ...rest,
});
const FACTS = [{ entity: 'hilltop', key: 'kWp', value: 61.6, since: '2026-01-16', excluded: null }];
const answer = {
  version: 3,
  entity: 'hilltop',
  zone: 'Africa/Johannesburg',
  zoneFrom: 'entity',
  from: 0,
  to: 172_800_000,
  starts: [0, 86_400_000, 172_800_000],
  computedAt: 0,
  values: {
    energy: of(330, {
      kind: 'aggregate',
      units: 'kWh',
      series: [150, 180],
      streams: [
        {
          entity: 'hilltop',
          deviceId: 'd',
          table: 'solar',
          source: 'inv-01',
          field: 'Total Energy',
          units: 'Wh',
          count: 12,
          coverage: 0.9,
          value: 330,
          excluded: null,
          excludedReadings: [],
          restarts: [],
          lateCount: 0,
          lastLateAt: null,
          keptFrom: null,
        },
      ],
    }),
    peak: of(61.6, { kind: 'metadata', units: 'kWp', facts: FACTS }),
    specificYield: of(5.36, {
      kind: 'formula',
      units: 'kWh/kWp',
      formula: 'energy / peak',
      uses: ['energy', 'peak'],
      series: [2.44, 2.92],
    }),
  },
} as unknown as KpiAnswer;

function network(kpis: Kpi[] | null) {
  return fakeNetwork(({ method, path }) => {
    if (path.includes('evaluate')) return { body: answer };
    if (path.includes('entities')) return { body: [hilltop] };
    if (method === 'POST') return { body: { ...kpi, name: 'Output' } };
    return kpis === null
      ? { status: 403, body: { message: 'No addon', error: 'access.addon_missing' } }
      : { body: kpis };
  });
}

test('each KPI is a card with its values over the last 7 days', async () => {
  signInAs();
  const asked = network([kpi]);
  await showScreen(<KpiList />);
  const card = await screen.findByRole('region', { name: 'Yield' });
  expect(await within(card).findByText('5.36')).toBeTruthy();
  expect(within(card).getByText('61.60')).toBeTruthy();
  const question = asked.find(({ path }) => path.includes('evaluate'))?.body;
  expect(question).toMatchObject({ entity: 'hilltop', timeframe: 'last-7-days', interval: '1d' });
});

test('a new KPI has a name, a template and named values', async () => {
  signInAs();
  const asked = network([]);
  await showScreen(<KpiList />);
  await userEvent.click(await screen.findByRole('button', { name: 'Create new' }));
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'Output');
  await userEvent.type(screen.getByRole('textbox', { name: 'Add Value' }), 'night{Enter}');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const sent = () => asked.find(({ method, path }) => method === 'POST' && !path.includes('evaluate'))?.body;
  await vi.waitFor(() =>
    expect(sent()).toMatchObject({ name: 'Output', values: { night: { kind: 'aggregate' } } }),
  );
});

test('without the addon there are simply none', async () => {
  signInAs();
  network(null);
  await showScreen(<KpiList />);
  expect(await screen.findByText('No KPIs yet')).toBeTruthy();
});

test('the page says where each value comes from', async () => {
  signInAs();
  network([kpi]);
  await showScreen(<KpiContent wg="demo" kpi={kpi} mayChange={false} />);
  expect(await screen.findByText('energy / peak (from energy, peak)')).toBeTruthy();
  expect(screen.getByText(/^holds from .*2026$/)).toBeTruthy();
  expect(screen.getByText(/Hilltop · Total Energy/)).toBeTruthy();
  expect(screen.getByText('Days in Africa/Johannesburg, set on the entity')).toBeTruthy();
});

test('what somebody else saved meanwhile is shown beside what one wrote, and both are saved together', async () => {
  signInAs();
  const theirs = { ...kpi, description: 'By Ann', version: 4 };
  const asked = fakeNetwork(({ method, path, body }) => {
    if (path.includes('evaluate')) return { body: answer };
    if (path.includes('entities')) return { body: [hilltop] };
    if (path.includes('history'))
      return { body: [{ version: 4, name: 'Yield', by: 'ann@example.org', at: 0 }] };
    if (method !== 'PUT') return { body: [theirs] };
    const { version, ...rest } = body as Kpi;
    if (version === 4) return { body: { ...theirs, ...rest, version: 5 } };
    const facts = { yours: '3', newest: '4' };
    return {
      status: 409,
      body: { error: 'history.not_newest', message: 'Somebody else saved this.', facts },
    };
  });
  await showScreen(<KpiContent wg="demo" kpi={kpi} mayChange />);
  const name = await screen.findByRole('textbox', { name: 'Name' });
  await userEvent.type(name, ' of today');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const dialog = await screen.findByRole('dialog', { name: 'Somebody else has saved in the meantime' });
  expect(dialog.textContent).toContain('ann@example.org saved this while you edited it.');
  expect(dialog.textContent).toContain('Yield of today');
  expect(dialog.textContent).toContain('By Ann');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Merge both' }));
  const sent = () => asked.filter(({ method }) => method === 'PUT').map(({ body }) => body);
  await vi.waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent()).toMatchObject([
    { name: 'Yield of today', description: '', version: 3 },
    { name: 'Yield of today', description: 'By Ann', version: 4 },
  ]);
});
