import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { type Exchange, fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { DeviceControlPage } from './device-control-page.tsx';
import {
  answerOf,
  buildDeviceSchedule,
  buildInverter,
  buildSetpoint,
  buildVersion,
  device,
  entry,
  HOUR,
  PATH,
  SCHEDULE_ID,
  type World,
} from './test-control.ts';

const ROUTE = '/control/devices/$deviceId';
const READER = {
  scopes: {
    demo: { role: 'admin', permissions: ['read'], ps: 'rd', devGroup: null, scopes: { device: [] } },
  },
};

async function show(
  world: World,
  { search = '', answer = (_asked: Exchange): { status?: number; body?: unknown } => ({ body: {} }) } = {},
) {
  const asked = fakeNetwork((one) => answerOf(world, one) ?? answer(one));
  const shown = await showScreen(<DeviceControlPage />, `/control/devices/${device.id}${search}`, ROUTE);
  return { asked, ...shown };
}

/** Three of four inverters follow until two hours from now. */
const limited = (): World => ({
  setpoints: [buildSetpoint({ currentDeviceSchedule: SCHEDULE_ID, value: '60%' })],
  schedules: [
    buildDeviceSchedule({
      state: 'applied',
      approver: 'ida@example.org',
      inverters: [
        ...[1, 2, 3].map((number) => buildInverter(number)),
        buildInverter(4, 'notFollowed', 'It stays at 100 %.'),
      ],
    }),
  ],
});

test('what holds is one number and a sentence, and the inverter that does not follow comes first', async () => {
  signInAs();
  await show(limited());
  const says = await screen.findByText(/Limited to 60 % until .* · 3 of 4 inverters follow/);
  expect(says.textContent).toContain('1 does not follow');
  expect(screen.getByText(/by max@example.org · approved by ida@example.org/)).toBeTruthy();
  const table = screen.getByRole('region', { name: 'Inverters' });
  const [, first] = within(table).getAllByRole('row');
  expect(first?.textContent).toContain('Inverter 4');
  expect(first?.textContent).toContain('It stays at 100 %.');
});

test('a limit by hand asks for a value, an end and a reason, and says who has to agree', async () => {
  signInAs();
  const { asked } = await show(
    { setpoints: [buildSetpoint()] },
    {
      answer: () => ({ body: buildDeviceSchedule({ state: 'pending', step: 'approval', asks: 'override' }) }),
    },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Limit now' }));
  const dialog = await screen.findByRole('dialog', { name: 'Limit Hilltop' });
  expect(await within(dialog).findByText(/Somebody else has to approve it/)).toBeTruthy();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Ask for approval' }));
  expect(await within(dialog).findByText('Say why.')).toBeTruthy();
  await userEvent.type(within(dialog).getByLabelText('Reason'), 'Grid works.');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Ask for approval' }));
  const sent = () => asked.find(({ method }) => method === 'POST');
  await waitFor(() => expect(sent()?.path).toContain('/override'));
  expect(sent()?.body).toMatchObject({ setpoint: PATH, value: '60%', reason: 'Grid works.' });
  const { until } = (sent()?.body ?? {}) as { until?: string };
  expect(Date.parse(until ?? '')).toBeGreaterThan(Date.now());
});

test('to stop takes one person', async () => {
  signInAs();
  const { asked } = await show(
    { setpoints: [buildSetpoint()] },
    { answer: () => ({ body: buildDeviceSchedule({ state: 'pending', step: 'sending' }) }) },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Stop now' }));
  const dialog = await screen.findByRole('dialog', { name: 'Stop Hilltop' });
  expect(within(dialog).queryByText(/Somebody else has to approve it/)).toBeNull();
  await userEvent.type(within(dialog).getByLabelText('Reason'), 'Smoke.');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Stop now' }));
  await waitFor(() =>
    expect(asked.find(({ method }) => method === 'POST')?.body).toMatchObject({ value: '0%' }),
  );
});

test('a stop that would loosen asks a lone owner for the phrase', async () => {
  signInAs();
  const alone = { code: 403, error: 'schedule.alone', message: 'You are the only one.' };
  await show(
    { setpoints: [buildSetpoint()], policy: { needs: 'loneOwner', holders: 1 } },
    { answer: () => ({ status: 403, body: alone }) },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Stop now' }));
  const dialog = await screen.findByRole('dialog', { name: 'Stop Hilltop' });
  expect(within(dialog).queryByLabelText('Type I APPROVE THIS ALONE')).toBeNull();
  await userEvent.type(within(dialog).getByLabelText('Reason'), 'Smoke.');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Stop now' }));
  expect(await within(dialog).findByLabelText('Type I APPROVE THIS ALONE')).toBeTruthy();
});

test('a lone owner types the phrase before anything is sent', async () => {
  signInAs();
  const { asked } = await show(
    { ...limited(), policy: { needs: 'loneOwner', holders: 1 } },
    { answer: () => ({ body: buildDeviceSchedule({ state: 'pending', step: 'sending' }) }) },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Release' }));
  const dialog = await screen.findByRole('dialog', { name: 'Release Hilltop' });
  await userEvent.type(within(dialog).getByLabelText('Reason'), 'Works are over.');
  const phrase = await within(dialog).findByLabelText('Type I APPROVE THIS ALONE');
  const button = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Release' });
  expect(button.disabled).toBe(true);
  await userEvent.type(phrase, 'I APPROVE THIS ALONE');
  await userEvent.click(button);
  await waitFor(() =>
    expect(asked.find(({ path }) => path.endsWith('/release'))?.body).toEqual({
      setpoint: PATH,
      reason: 'Works are over.',
      phrase: 'I APPROVE THIS ALONE',
    }),
  );
});

test('somebody else approves and nobody their own work', async () => {
  signInAs();
  const waiting = {
    state: 'pending',
    step: 'approval',
    asks: 'apply',
    approvableUntil: Date.now() + HOUR,
  } as const;
  const own = '00000000-0000-4000-8000-000000000009';
  const { asked } = await show(
    {
      setpoints: [buildSetpoint({ pendingDeviceSchedule: SCHEDULE_ID })],
      schedules: [
        buildDeviceSchedule({ ...waiting, askedBy: 'max@example.org' }),
        buildDeviceSchedule({ ...waiting, _id: own, name: 'Mine', editors: ['zoe@example.org'] }),
      ],
    },
    { answer: () => ({ body: buildDeviceSchedule({ state: 'pending', step: 'sending' }) }) },
  );
  const cards = await screen.findByRole('list', { name: 'Waits for approval' });
  const [theirs, mine] = within(cards).getAllByRole('listitem');
  expect(theirs?.textContent).toContain('Waits for you: max@example.org wants to apply “Grid works”');
  expect(mine?.textContent).toContain('waits for somebody else');
  expect(within(mine as HTMLElement).queryByRole('button', { name: 'Approve' })).toBeNull();
  await userEvent.click(within(theirs as HTMLElement).getByRole('button', { name: 'Approve' }));
  await waitFor(() =>
    expect(asked.find(({ method }) => method === 'PUT')?.body).toEqual({
      decision: 'approved',
      reason: '',
      over: expect.any(Number),
    }),
  );
  await waitFor(() => expect(screen.queryByText(/wants to apply/)).toBeNull());
});

test('who only reads sees everything, and buttons say why they are off', async () => {
  signInAs(READER);
  await show(limited());
  const limit = await screen.findByRole('button', { name: 'Limit now' });
  expect(limit.getAttribute('aria-disabled')).toBe('true');
  await userEvent.hover(limit);
  expect(await screen.findByText(/You need the Control devices permission/)).toBeTruthy();
  await userEvent.click(limit);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('without setpoints it offers to discover them, which a device that is offline cannot', async () => {
  signInAs();
  const { asked } = await show({ isOnline: false });
  expect(await screen.findByText('No setpoints are known yet')).toBeTruthy();
  const button = screen.getByRole('button', { name: 'Discover setpoints' });
  await userEvent.hover(button);
  expect(await screen.findByText(/Hilltop is offline/)).toBeTruthy();
  await userEvent.click(button);
  expect(asked.some(({ method }) => method === 'POST')).toBe(false);
});

test('two versions are compared by the address: chart and differences', async () => {
  signInAs();
  const { router } = await show(
    {
      setpoints: [buildSetpoint()],
      versions: [
        buildVersion(2, {
          entries: [entry(Date.UTC(2026, 5, 1, 10), '50%'), entry(Date.UTC(2026, 5, 1, 13), '')],
        }),
        buildVersion(1),
      ],
    },
    { search: '?versions=1' },
  );
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Compare version 2' }));
  const table = await screen.findByRole('region', { name: 'Differences' });
  const rows = within(table).getAllByRole('row');
  expect(rows).toHaveLength(2);
  expect(rows[1]?.textContent).toContain('Jun 1, 2026 12:00');
  expect(rows[1]?.textContent).toContain('60 %50 %');
  expect(router.state.location.search).toEqual({ versions: '1,2' });
});

test('what cannot be loaded says why and is asked for again', async () => {
  signInAs();
  let isBroken = true;
  fakeNetwork((one) =>
    isBroken && one.path.endsWith('/setpoints')
      ? { status: 403, body: { code: 403, message: 'Not yours', error: 'request.forbidden' } }
      : (answerOf({ setpoints: [buildSetpoint()] }, one) ?? {}),
  );
  await showScreen(<DeviceControlPage />, `/control/devices/${device.id}`, ROUTE);
  expect(await screen.findByText('The schedules could not be loaded')).toBeTruthy();
  isBroken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await vi.waitFor(() => expect(screen.getByText('Not limited')).toBeTruthy());
});
