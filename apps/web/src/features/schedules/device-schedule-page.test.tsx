import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { type Exchange, fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { DeviceSchedulePage } from './device-schedule-page.tsx';
import {
  answerOf,
  buildDeviceSchedule,
  buildRehearsal,
  buildSetpoint,
  device,
  entry,
  HOUR,
  PATH,
  SCHEDULE_ID,
  type World,
} from './test-control.ts';

const ROUTE = '/control/devices/$deviceId/$schedule';
/** 12:00 and 15:00 of the site. */
const [NOON, THREE] = [Date.UTC(2026, 11, 1, 11), Date.UTC(2026, 11, 1, 14)];
const STEPS = [entry(NOON, '60%'), entry(THREE, '')];

async function show(
  world: World,
  answer: (asked: Exchange) => { status?: number; body?: unknown } = () => ({ body: {} }),
  schedule = SCHEDULE_ID,
) {
  const asked = fakeNetwork((one) => answerOf(world, one) ?? answer(one));
  const shown = await showScreen(
    <DeviceSchedulePage />,
    `/control/devices/${device.id}/${schedule}?setpoint=${encodeURIComponent(PATH)}`,
    ROUTE,
  );
  return { asked, sent: (method: string) => asked.find((one) => one.method === method), ...shown };
}

const draft = (more = {}): World => ({
  setpoints: [buildSetpoint()],
  schedules: [buildDeviceSchedule({ entries: STEPS, ...more })],
});

test('a step is moved with the keys of its handle, and the table says the same', async () => {
  signInAs();
  const { sent } = await show(draft(), ({ body }) => ({
    body: buildDeviceSchedule({ ...(body as object), changedAt: Date.now() }),
  }));
  const handle = await screen.findByRole('slider', { name: 'Step 1' });
  expect(handle.getAttribute('aria-valuetext')).toBe('60 % from Dec 1 12:00');
  fireEvent.keyDown(handle, { key: 'ArrowDown', shiftKey: true });
  fireEvent.keyDown(screen.getByRole('slider', { name: 'Step 1' }), { key: 'ArrowRight', shiftKey: true });
  expect(screen.getByRole('slider', { name: 'Step 1' }).getAttribute('aria-valuetext')).toBe(
    '50 % from Dec 1 13:00',
  );
  expect(screen.getByLabelText<HTMLInputElement>('Value of step 1').value).toBe('50');
  expect(screen.getByLabelText<HTMLInputElement>('Time of step 1').value).toBe('13:00');
  expect(screen.getByText('2026-12-01 12:00 UTC')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Save draft' }));
  await waitFor(() =>
    expect(sent('PUT')?.body).toMatchObject({
      setpoint: PATH,
      entries: [entry(NOON + HOUR, '50%'), entry(THREE, '')],
      until: null,
      over: expect.any(Number),
    }),
  );
});

test('a step cannot be dragged past its neighbour, and is taken back', async () => {
  signInAs();
  await show(draft());
  const handle = await screen.findByRole('slider', { name: 'Step 1' });
  for (let press = 0; press < 5; press++) fireEvent.keyDown(handle, { key: 'ArrowRight', shiftKey: true });
  expect(screen.getByRole('slider', { name: 'Step 1' }).getAttribute('aria-valuetext')).toBe(
    '60 % from Dec 1 14:59',
  );
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(screen.getByRole('slider', { name: 'Step 1' }).getAttribute('aria-valuetext')).toBe(
    '60 % from Dec 1 12:00',
  );
});

test('a dry run shows registers and power, and names a problem at its step', async () => {
  signInAs();
  const problem = {
    part: 'entries.0.value',
    issue: 'issue.bound_least',
    facts: { value: '60%', bound: '70 %' },
    message: '60% is below 70 %, the least that is allowed here.',
    blocks: true,
  };
  await show(draft(), () => ({ body: buildRehearsal({ problems: [problem] }) }));
  await userEvent.click(await screen.findByRole('button', { name: 'Try it' }));
  expect(await screen.findByText('1 problem')).toBeTruthy();
  expect(screen.getByText(/costs about 84.00 kWh|costs about 84 kWh/)).toBeTruthy();
  expect(screen.getByText('WMaxLimPct 6000 (SF -2)')).toBeTruthy();
  expect(screen.getByText('is free again after 60 s')).toBeTruthy();
  const table = screen.getByRole('region', { name: 'Steps of the schedule' });
  expect(within(table).getByText(problem.message)).toBeTruthy();
});

test('it is applied as a trial after a dry run, and a second person is asked', async () => {
  signInAs();
  const { sent } = await show(draft(), ({ path }) => ({
    body: path.endsWith('/rehearse')
      ? buildRehearsal()
      : buildDeviceSchedule({ state: 'pending', step: 'approval', asks: 'apply', entries: STEPS }),
  }));
  await userEvent.click(await screen.findByRole('button', { name: 'Apply…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Apply on Hilltop' });
  expect(await within(dialog).findByText(/No problems found/)).toBeTruthy();
  await userEvent.click(within(dialog).getByText('Trial of 15 min'));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Ask for approval' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent('PUT')).toBeUndefined();
  const applied = () => screen.findByText('A second person has to approve. Then it goes to the device.');
  expect(await applied().catch(() => null)).toBeDefined();
  expect(await screen.findByRole('list', { name: 'The way to the device' })).toBeTruthy();
});

test('what stands against it keeps it from being applied', async () => {
  signInAs();
  const problem = {
    ...{ part: 'inverters.0', issue: 'issue.inverter_readonly' },
    ...{ facts: { inverter: 'Inverter 1', why: 'local mode' }, message: 'Inverter 1 does not take writes.' },
    blocks: true,
  };
  await show(draft(), () => ({ body: buildRehearsal({ problems: [problem] }) }));
  await userEvent.click(await screen.findByRole('button', { name: 'Apply…' }));
  const dialog = await screen.findByRole('dialog');
  expect(await within(dialog).findByText('Inverter 1 does not take writes.')).toBeTruthy();
  expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Ask for approval' }).disabled).toBe(
    true,
  );
});

test('what is only said keeps nothing from being applied', async () => {
  signInAs();
  const problem = {
    ...{ part: 'inverters', issue: 'issue.inverter_away', blocks: false },
    ...{
      facts: { inverter: 'Inverter 1', why: 'it is dark' },
      message: 'Inverter 1 did not answer: it is dark',
    },
  };
  await show(draft(), () => ({ body: buildRehearsal({ problems: [problem] }) }));
  await userEvent.click(await screen.findByRole('button', { name: 'Apply…' }));
  const dialog = await screen.findByRole('dialog');
  expect(await within(dialog).findByText(/Inverter 1 did not answer/)).toBeTruthy();
  const ask = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Ask for approval' });
  expect(ask.disabled).toBe(false);
});

test('one that came back says why, and one on trial counts down and is confirmed', async () => {
  signInAs();
  await show(draft({ reason: 'Inverter 4 stayed at 100 %.' }));
  expect(await screen.findByText('Inverter 4 stayed at 100 %.')).toBeTruthy();
  expect(screen.getByText('It is a draft again')).toBeTruthy();
});

test('a trial is confirmed', async () => {
  signInAs();
  const trial = { state: 'applied', trialUntil: Date.now() + 15 * 60_000, appliedAt: Date.now() };
  const { sent } = await show(draft(trial), () => ({
    body: buildDeviceSchedule({ entries: STEPS, state: 'applied' }),
  }));
  expect(await screen.findByText(/On trial: undone by itself in 1[45] min/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Confirm and keep it' }));
  await waitFor(() => expect(sent('PUT')?.path).toContain('/trial'));
});

test('somebody else changed it meanwhile: theirs is loaded, or mine is a new one', async () => {
  signInAs();
  const { asked } = await show(draft(), ({ method }) =>
    method === 'PUT'
      ? { status: 409, body: { code: 409, message: 'Somebody changed this', error: 'schedule.changed' } }
      : { body: buildDeviceSchedule({ _id: '00000000-0000-4000-8000-000000000007' }) },
  );
  fireEvent.keyDown(await screen.findByRole('slider', { name: 'Step 1' }), { key: 'ArrowDown' });
  await userEvent.click(screen.getByRole('button', { name: 'Save draft' }));
  expect(await screen.findByText('max@example.org changed this schedule since you opened it.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Save mine as a new one' }));
  await waitFor(() =>
    expect(asked.find(({ method }) => method === 'POST')?.body).toMatchObject({
      entries: [entry(NOON, '59%'), entry(THREE, '')],
    }),
  );
});

test('a new one takes a pattern and a file, whose rows are named when wrong', async () => {
  signInAs();
  await show({ setpoints: [buildSetpoint()] }, undefined, 'new');
  await userEvent.click(await screen.findByRole('button', { name: 'Repeat' }));
  const dialog = await screen.findByRole('dialog', { name: 'Repeat a value' });
  fireEvent.change(within(dialog).getByLabelText('First day'), { target: { value: '2027-03-27' } });
  fireEvent.change(within(dialog).getByLabelText('Last day'), { target: { value: '2027-03-28' } });
  fireEvent.change(within(dialog).getByLabelText('From'), { target: { value: '02:30' } });
  expect(await within(dialog).findByText(/On 2027-03-28 there is no 02:30: the clocks skip it/)).toBeTruthy();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Lay it over' }));
  expect(await screen.findByRole('slider', { name: 'Step 4' })).toBeTruthy();

  await userEvent.click(screen.getByRole('button', { name: 'CSV' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Import a CSV file' }));
  const upload = (text: string) =>
    userEvent.upload(
      document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement,
      new File([text], 'limit.csv', { type: 'text/csv' }),
    );
  await upload('datetime,value\n2026-12-01T11:00Z,60%\n2026-12-01T11:00Z,50%\n');
  expect(await screen.findByText('Row 3: 2026-12-01T11:00Z appears twice.')).toBeTruthy();
  await upload('datetime,value\n2026-12-01T11:00Z,60%\n2026-12-01T14:00Z,\n');
  await userEvent.click(await screen.findByRole('button', { name: 'Take these steps' }));
  await waitFor(() => expect(screen.queryByRole('slider', { name: 'Step 3' })).toBeNull());
  expect(screen.getByRole('slider', { name: 'Step 2' }).getAttribute('aria-valuetext')).toBe(
    'ends at Dec 1 15:00',
  );
});

test('while it is pending nothing can be changed, and it can be withdrawn', async () => {
  signInAs();
  const { sent } = await show(
    draft({ state: 'pending', step: 'approval', asks: 'apply', editors: ['zoe@example.org'] }),
    () => ({ body: buildDeviceSchedule({ entries: STEPS }) }),
  );
  expect(await screen.findByText('Pending')).toBeTruthy();
  expect(screen.queryByRole('slider')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Save draft' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Withdraw' }));
  await waitFor(() => expect(sent('DELETE')?.path).toContain('/approval'));
});
