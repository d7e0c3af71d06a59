import { ENERGY_CONFIG_SCHEMAS } from '@albedo/contract/energy/energy-config.schema';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { CapacityFactorPage } from './capacity-factor-page.tsx';
import { DailyEnergyPage } from './daily-energy-page.tsx';
import { IecPage } from './iec-page.tsx';
import { PerformanceRatioPage } from './performance-ratio-page.tsx';

const HILLTOP = '6f9619ff-8b86-4d01-b42d-00c04fc964ff';
const SOURCES = [
  {
    deviceId: HILLTOP,
    table: 'solar',
    source: 'inv-01',
    kind: 'inverter',
    fields: [
      { name: 'Total Energy', units: 'Wh', role: 'energyTotal', factor: 1, offset: 0 },
      { name: 'AC Power', units: 'W', role: 'acPower', factor: 1, offset: 0 },
    ],
  },
];
const PREVIEW = {
  day: '2026-11-28',
  rows: [
    {
      deviceId: HILLTOP,
      device: 'Hilltop',
      table: 'solar',
      source: 'inv-01',
      method: 'totalEnergy',
      value: 120.4,
      expected: null,
      coverage: 1,
      reason: null,
    },
  ],
  lacking: [{ deviceId: HILLTOP, device: 'Hilltop', roles: ['peakPower'] }],
};

interface Kept {
  version: number;
  value: unknown;
}

function network(
  name: keyof typeof ENERGY_CONFIG_SCHEMAS,
  kept: Kept,
  put?: () => { status?: number; body: unknown },
) {
  const answer = { version: kept.version, value: ENERGY_CONFIG_SCHEMAS[name].parse(kept.value) };
  return fakeNetwork(({ path, method, body }) => {
    if (path.endsWith('/preview')) return { body: PREVIEW };
    if (path.endsWith(`/config/${name}`) && method === 'PUT')
      return put?.() ?? { body: { version: kept.version + 1, value: (body as Kept).value } };
    if (path.endsWith(`/config/${name}`)) return { body: answer };
    if (path.includes('entitySources')) return { body: SOURCES };
    return { body: [] };
  });
}
const putsIn = (asked: ReturnType<typeof fakeNetwork>) =>
  asked.filter(({ method }) => method === 'PUT').map(({ body }) => body as Kept);

beforeEach(() => {
  signInAs();
});

test('a known field is added to a method, and saved with the version that was read', async () => {
  const asked = network('daily-energy-config', { version: 3, value: {} });
  await showScreen(<DailyEnergyPage />);
  await userEvent.click(await screen.findByRole('combobox', { name: 'Add a field to Total energy' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Total Energy (Wh)' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(putsIn(asked)).toHaveLength(1));
  expect(putsIn(asked)[0]).toMatchObject({
    version: 3,
    value: { streams: [{ method: 'totalEnergy', table: 'solar', field: 'Total Energy' }] },
  });
});

test('what yesterday would be stands below, with what devices lack', async () => {
  network('daily-energy-config', { version: 0, value: {} });
  await showScreen(<DailyEnergyPage />);
  const card = await screen.findByRole('region', { name: 'What yesterday would look like' });
  expect(await within(card).findByText('120.40 kWh')).toBeTruthy();
  expect(within(card).getByText('1 device needs something')).toBeTruthy();
  expect(card.textContent).toContain('Hilltop Peak power');
});

test('somebody else saved meanwhile: both versions are shown and put together', async () => {
  let isFirst = true;
  const theirs = { version: 2, value: { basis: 'ac', roles: { peakPower: { from: 'value', value: 61 } } } };
  const kept: Kept = { version: 1, value: {} };
  const asked = fakeNetwork(({ path, method, body }) => {
    if (path.endsWith('/preview')) return { body: PREVIEW };
    if (!path.includes('/config/')) return { body: [] };
    if (method === 'PUT' && isFirst) {
      isFirst = false;
      return { status: 409, body: { message: 'Changed', error: 'energy.config_changed', facts: {} } };
    }
    if (method === 'PUT') return { body: { version: 3, value: (body as Kept).value } };
    return { body: isFirst ? kept : theirs };
  });
  await showScreen(<CapacityFactorPage />);
  await userEvent.click(await screen.findByRole('radio', { name: /DC peak power/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain('basis');
  expect(dialog.textContent).toContain('peakPower');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Put both together' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(putsIn(asked)).toHaveLength(2));
  expect(putsIn(asked)[1]).toMatchObject({
    version: 2,
    value: { basis: 'dc', roles: { peakPower: { from: 'value', value: 61 } } },
  });
});

test('an azimuth is read aloud, turned by where zero points', async () => {
  network('performance-ratio-config', {
    version: 1,
    value: { zeroDirection: 180, roles: { azimuth: { from: 'value', value: -90 } } },
  });
  await showScreen(<PerformanceRatioPage />);
  expect(await screen.findByText('Points east (90°)')).toBeTruthy();
  await userEvent.click(screen.getByRole('radio', { name: 'North' }));
  expect(await screen.findByText('Points west (270°)')).toBeTruthy();
});

test('what is measured is a field, of another device where one is chosen', async () => {
  const device = { id: HILLTOP, name: 'Hilltop' };
  const asked = fakeNetwork(({ path, method, body }) => {
    if (path.endsWith('/preview')) return { body: PREVIEW };
    if (method === 'PUT') return { body: { version: 2, value: (body as Kept).value } };
    if (path.includes('/config/'))
      return { body: { version: 1, value: ENERGY_CONFIG_SCHEMAS['iec-perf-ratio-config'].parse({}) } };
    if (path.includes('entitySources')) return { body: SOURCES };
    return { body: path.includes('devices') ? [device] : [] };
  });
  await showScreen(<IecPage />);
  await userEvent.click(
    await screen.findByRole('combobox', { name: 'Where Irradiance on the plane stands' }),
  );
  const options = screen.getAllByRole('option', { hidden: false }).map(({ textContent }) => textContent);
  expect(options).toEqual(['Found by itself', 'A field']);
  await userEvent.click(screen.getByRole('option', { name: 'A field' }));
  await userEvent.click(
    screen.getByRole('combobox', { name: 'Device that measures Irradiance on the plane' }),
  );
  await userEvent.click(await screen.findByRole('option', { name: 'Hilltop' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(putsIn(asked)).toHaveLength(1));
  expect(putsIn(asked)[0]?.value).toMatchObject({
    roles: { irradiancePoa: { from: 'field', table: 'solar', device: HILLTOP } },
  });
});

test('what the schema refuses is said, and nothing is sent', async () => {
  const asked = network('performance-ratio-config', {
    version: 1,
    value: { roles: { azimuth: { from: 'metadata', level: 'source', key: 'azimuth' } } },
  });
  await showScreen(<PerformanceRatioPage />);
  await userEvent.clear(await screen.findByRole('combobox', { name: 'Key of Azimuth' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/^One entry is wrong/)).toBeTruthy();
  expect(putsIn(asked)).toEqual([]);
});

test('members of a device group see it, and cannot change it', async () => {
  const scope = { role: 'admin', permissions: [], ps: '', devGroup: 'north', scopes: { device: [] } };
  signInAs({ scopes: { demo: scope } });
  network('capacity-factor-config', { version: 1, value: {} });
  await showScreen(<CapacityFactorPage />);
  expect(await screen.findByText(/Members of a device group cannot change this/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
});
