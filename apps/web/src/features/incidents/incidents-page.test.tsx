import type { Incident } from '@albedo/contract/incidents/incidents.schema';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { type Exchange, fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { fitted } from '../../ui/data-table/use-fitting-columns.ts';
import { incidentColumns } from './incident-columns.tsx';
import { IncidentsPage } from './incidents-page.tsx';
import { buildIncident, detailOf } from './test-incident.ts';

const [STANDING, OFFLINE] = ['00000000-0000-4000-8000-000000900001', '00000000-0000-4000-8000-000000900002'];
const rules = [
  { _id: STANDING, name: 'Inverter gives no power', severity: 'high', enabled: true },
  { _id: OFFLINE, name: 'Device offline', severity: 'medium', enabled: false },
];

/** A cloud with these incidents; what is changed is another one from then on. */
function network(incidents: Incident[], over: (asked: Exchange) => unknown = () => undefined) {
  let list = incidents;
  const change = (id: string, part: Partial<Incident>) => {
    list = list.map((one) => (one._id === id ? { ...one, ...part, changedAt: Date.now() } : one));
    return list.find(({ _id }) => _id === id);
  };
  return fakeNetwork((asked) => {
    const own = over(asked);
    if (own) return { body: own };
    const { path, method, body } = asked;
    const [id = '', action] = path.split('/demo')[1]?.split('/').slice(1) ?? [];
    if (path.includes('/alerts/')) return { body: rules };
    if (!path.includes('/incidents/')) return { body: [] };
    if (method === 'PUT' && action === 'acknowledge')
      return { body: change(id, { state: 'acknowledged', acknowledgedBy: ['Zoë Müller'] }) };
    if (method === 'PUT' && action === 'shelve') {
      const { until, reason } = body as { until: number; reason: string };
      return { body: change(id, { state: 'shelved', shelvedUntil: until, shelvedReason: reason }) };
    }
    if (method === 'PUT') return { body: { acknowledged: 1 } };
    const found = list.find(({ _id }) => _id === id);
    return { body: found ? detailOf(found) : list };
  });
}

const sentences = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map(
      (row) =>
        /Inverter \d[^,]*?(?=\d?×|Not|\d+ conseq|$)|Hilltop is offline/.exec(row.textContent ?? '')?.[0],
    );

test('what is wrong stands by severity and cost, with its consequences folded under it', async () => {
  signInAs();
  const cause = buildIncident('Hilltop', { kind: 'offline', alert: OFFLINE, severity: 'medium' });
  const energy = { energyWh: 3400, powerW: 1200, basis: 'peers', money: null, at: 0 } as const;
  network([
    buildIncident('Inverter 1', { energy }),
    cause,
    buildIncident('Inverter 2', { causedBy: cause._id, state: 'suppressed' }),
  ]);
  await showScreen(<IncidentsPage />, '/alerts');
  expect(await screen.findByText('Inverter 1 gives no power in good light')).toBeTruthy();
  expect(sentences()).toHaveLength(2);
  expect(screen.getByText(/^about .*kWh, 1\.20 kWh more each hour$/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: '1 consequence' }));
  expect(await screen.findByText('Inverter 2 gives no power in good light')).toBeTruthy();
});

test('the ticks at the left say which alerts are shown, and stand in the address', async () => {
  signInAs();
  network([
    buildIncident('Inverter 1'),
    buildIncident('Hilltop', { kind: 'offline', alert: OFFLINE, severity: 'medium' }),
  ]);
  const { router } = await showScreen(<IncidentsPage />, '/alerts');
  await screen.findByText('Hilltop is offline');
  await userEvent.click(await screen.findByRole('checkbox', { name: /Inverter gives no power/ }));
  await vi.waitFor(() => expect(screen.queryByText('Hilltop is offline')).toBeNull());
  expect(router.latestLocation.search).toEqual({ alerts: STANDING });
});

test('an incident opens with what to do, is acknowledged, and shelved with a reason and an end', async () => {
  signInAs();
  const incident = buildIncident('Inverter 1');
  const asked = network([incident]);
  await showScreen(<IncidentsPage />, `/alerts?incident=${incident._id}`);
  const dialog = await screen.findByRole('dialog');
  expect(await within(dialog).findByText('Check the DC switch.')).toBeTruthy();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Acknowledge' }));
  expect(await within(dialog).findByText('Acknowledged by Zoë Müller')).toBeTruthy();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Shelve' }));
  const form = (await screen.findByRole('dialog', { name: 'Shelve the incident' })) as HTMLElement;
  await userEvent.click(within(form).getByRole('button', { name: 'Shelve' }));
  expect(await within(form).findByText('Say why, so that others know.')).toBeTruthy();
  await userEvent.type(within(form).getByRole('textbox', { name: 'Reason' }), 'Spare part ordered');
  await userEvent.click(within(form).getByRole('radio', { name: '1 h' }));
  await userEvent.click(within(form).getByRole('button', { name: 'Shelve' }));
  await vi.waitFor(() =>
    expect(asked.find(({ path }) => path.endsWith('/shelve'))?.body).toMatchObject({
      reason: 'Spare part ordered',
    }),
  );
  const sent = asked.find(({ path }) => path.endsWith('/shelve'))?.body as { until: number } | undefined;
  expect(Math.abs((sent?.until ?? 0) - Date.now() - 3_600_000)).toBeLessThan(60_000);
  expect(await within(dialog).findByText('Shelved: Spare part ordered')).toBeTruthy();
});

test('all that wait are acknowledged in one call', async () => {
  signInAs();
  const waiting = [buildIncident('Inverter 1'), buildIncident('Inverter 2')];
  const asked = network([...waiting, buildIncident('Inverter 3', { state: 'acknowledged' })]);
  await showScreen(<IncidentsPage />, '/alerts');
  await userEvent.click(await screen.findByRole('button', { name: 'Acknowledge all (2)' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Acknowledge' }));
  await vi.waitFor(() =>
    expect(asked.find(({ method }) => method === 'PUT')?.body).toEqual({
      ids: waiting.map(({ _id }) => _id),
    }),
  );
});

test('who only reads sees what is wrong, and no button that answers it', async () => {
  const scope = { role: 'readonly', permissions: ['read'], ps: 'rd', devGroup: null, scopes: { device: [] } };
  signInAs({ scopes: { demo: scope } });
  const incident = buildIncident('Inverter 1');
  network([incident, buildIncident('Inverter 2')]);
  await showScreen(<IncidentsPage />, `/alerts?incident=${incident._id}`);
  const dialog = await screen.findByRole('dialog');
  expect(await within(dialog).findByText('Check the DC switch.')).toBeTruthy();
  for (const name of [/Acknowledge/, 'Shelve', 'Add note', 'New alert'])
    expect(screen.queryByRole('button', { name })).toBeNull();
});

test('where nothing is wrong it says so, and a failure can be tried again', async () => {
  signInAs();
  let isBroken = true;
  fakeNetwork(({ path }) => {
    if (path.includes('/alerts/')) return { body: rules };
    return isBroken ? { status: 400, body: { code: 400, message: 'The store is tired.' } } : { body: [] };
  });
  await showScreen(<IncidentsPage />, '/alerts');
  expect(await screen.findByText('The store is tired.')).toBeTruthy();
  isBroken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect((await screen.findAllByText('Nothing is wrong')).length).toBeGreaterThan(0);
});

test('where the width does not suffice, since when it is wrong stays longer than its device', () => {
  const columns = incidentColumns(((key: string) => key) as never, () => {});
  const { visibility } = fitted({ columns, choices: {}, sizing: {}, roomPx: 650, calling: [] });
  expect(visibility).toMatchObject({ severity: true, what: true, since: true, device: false });
});
