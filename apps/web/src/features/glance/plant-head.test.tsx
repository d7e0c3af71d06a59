import type { PlantGlance } from '@albedo/contract/glance/glance.schema';
import type { Incident } from '@albedo/contract/incidents/incidents.schema';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { buildDevice } from '../../app/test-device.ts';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { DeviceIncidents } from '../incidents/device-incidents.tsx';
import { buildIncident, detailOf } from '../incidents/test-incident.ts';
import { PlantHead } from './plant-head.tsx';
import { buildCause, buildGlance } from './test-glance.ts';

const device = buildDevice('Riverside');
const DAY_MS = 86_400_000;
const FAILURE = { status: 400, body: { error: 'other', message: 'No' } };
const NO_PLANTS = { at: Date.now(), plants: [], calmSince: null };

beforeEach(() => {
  signInAs();
});

async function show(plant: Partial<PlantGlance>, incidents: Incident[] = []): Promise<string> {
  const all = [{ ...buildGlance('Riverside'), ...plant, device: device.id }];
  fakeNetwork(({ path }) => {
    if (path.endsWith('/plant')) return { body: { kind: 'plant' } };
    if (path.includes('/glance/')) return { body: { at: Date.now(), plants: all, calmSince: null } };
    const [incident] = incidents;
    if (incident && path.endsWith(incident._id)) return { body: detailOf(incident) };
    return { body: path.includes('/incidents/') ? incidents : [] };
  });
  await showScreen(
    <>
      <PlantHead device={device} />
      <DeviceIncidents device={device} />
    </>,
  );
  const head = await screen.findByRole('region', { name: 'Riverside at a glance' });
  return head.querySelector('p')?.textContent ?? '';
}

test('a plant begins with one number and a sentence, what it costs and what to do', async () => {
  const incident = buildIncident('Inverter 7', { device: device.id, source: 'inv-07', finding: 'below' });
  const since = Date.now() - 3 * DAY_MS;
  const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(since);
  const said = await show(
    {
      state: 'under',
      energy: buildGlance('', { energy: { ratio: 0.91 } }).energy,
      causes: [
        buildCause({ incident: incident._id, since }),
        buildCause({ kind: 'fault', subject: 'Inverter 2' }),
      ],
      cost: { energyWh: 41_200, powerW: 1200, money: [{ value: 3.3, currency: 'EUR' }] },
    },
    [incident],
  );
  expect(said.replaceAll('\u00a0', ' ')).toBe(
    `9 % under what the light would give today: Inverter 7 has lost a string at input 2 (33 % less there) since ${weekday} and 1 more`,
  );
  expect(screen.getByText('Lost by now: about €3.30 (41.20 kWh), 1.20 kWh more each hour')).toBeTruthy();
  expect(await screen.findByText(/Check the DC switch/)).toBeTruthy();
  const link = screen.getByRole('link', { name: /Open the incident/ });
  expect(link.getAttribute('href')).toContain(`incident=${incident._id}`);
  // It is shown only once.
  expect(screen.queryByText(/Inverter 7 gives/)).toBeNull();
  expect(screen.getByText('Inverter 2 reports a fault')).toBeTruthy();
});

test('whether the number is true is a press away: what was counted, against what, and when', async () => {
  await show({});
  const button = screen.getByRole('button', { name: 'Is this true?' });
  expect(screen.queryByText(/970/)).toBeNull();
  await userEvent.click(button);
  expect(button.getAttribute('aria-expanded')).toBe('true');
  expect(screen.getByText('970.00 kWh on 2026-11-29, by 2 of 2 inverters')).toBeTruthy();
  expect(screen.getByText(/^1.00 MWh that the light of that time would give\./)).toBeTruthy();
  expect(screen.getByText(/^1 min ago/)).toBeTruthy();
});

test('beside a ratio stands what it is made of', async () => {
  const paired = { energyKWh: 291, expectedKWh: 300 };
  await show({ energy: buildGlance('', { energy: { paired } }).energy });
  await userEvent.click(screen.getByRole('button', { name: 'Is this true?' }));
  expect(screen.getByText(/^291\.00 kWh on/)).toBeTruthy();
  expect(screen.getByText(/^300\.00 kWh that/)).toBeTruthy();
});

test.each<[string, Partial<PlantGlance>, RegExp]>([
  ['all is well', {}, /^97 % of what the light would give today\. All is well$/],
  ['dark', { isDark: true }, /All is well; it is dark there now$/],
  [
    'the day before, at dawn',
    { energy: buildGlance('', { energy: { isToday: false, ratio: 1.02 } }).energy },
    /^102 % of what the light would have given yesterday/,
  ],
  [
    'no cause',
    { state: 'under', energy: buildGlance('', { energy: { ratio: 0.8 } }).energy },
    /^20 % under .*Nobody knows why yet$/,
  ],
  [
    'silent',
    { state: 'silent', power: { value: null, at: Date.now() - 9 * DAY_MS, missing: 'silent' } },
    /^– No values since \w+ \d+/,
  ],
  ['history arriving', { state: 'arriving', energy: null }, /^40\.00 kW now\. History is arriving/],
  [
    'nothing to hold it against',
    {
      state: 'unknown',
      energy: buildGlance('', { energy: { ratio: null as never, reason: 'noRating' as never } }).energy,
    },
    /^40\.00 kW now\. What the light would give is not known\. The rated power is not known\.$/,
  ],
])('%s has its own sentence', async (_, plant, sentence) => {
  expect((await show(plant)).replaceAll('\u00a0', ' ')).toMatch(sentence);
});

test('a plant whose fault costs nobody knows how much says so', async () => {
  await show({ state: 'under', causes: [buildCause()] });
  expect(screen.getByText('Nobody knows what it costs')).toBeTruthy();
});

test.each<[string, { plant: object; glance: object }]>([
  ['the glance fails', { plant: { body: { kind: 'plant' } }, glance: FAILURE }],
  ['nobody knows whether it is a plant', { plant: FAILURE, glance: { body: NO_PLANTS } }],
  // Never answered, and nothing waits for it.
  ['it is no plant', { plant: { body: { kind: 'machine' } }, glance: new Promise(() => {}) }],
])('where %s, the incidents of the device stand there and nothing is waited for', async (_, answers) => {
  const incident = buildIncident('Inverter 7', { device: device.id, source: 'inv-07' });
  fakeNetwork(({ path }) => {
    if (path.endsWith('/plant')) return answers.plant;
    if (path.includes('/glance/')) return answers.glance;
    return { body: path.includes('/incidents/') ? [incident] : [] };
  });
  const { container } = await showScreen(
    <>
      <PlantHead device={device} />
      <DeviceIncidents device={device} />
    </>,
  );
  expect(await screen.findByText(/Inverter 7 gives/)).toBeTruthy();
  expect(container.querySelector('.mantine-Skeleton-root')).toBeNull();
});
