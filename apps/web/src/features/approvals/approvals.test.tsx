import type { Approval } from '@albedo/contract/approvals/approvals.schema';
import { shellsApi } from '@albedo/contract/shells/shells.api';
import { Notifications } from '@mantine/notifications';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { call } from '../../app/call.ts';
import { buildDevice } from '../../app/test-device.ts';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { ApprovalList } from './approval-list.tsx';
import { ApprovalRuleCard } from './approval-rule-card.tsx';
import { ApprovalWatch } from './approval-watch.tsx';
import { DeviceApprovals } from './device-approvals.tsx';

const device = buildDevice('Roof');
const request = (rest: Partial<Approval> = {}): Approval => ({
  id: '6f9619ff-8b86-4d01-b42d-00c04fc964ff',
  deviceId: device.id,
  way: 'tunnel',
  target: 'tcp 192.168.1.20:502',
  reason: 'The inverter stopped.',
  by: 'max@example.org',
  askedAt: Date.now(),
  expiresAt: Date.now() + 600_000,
  state: 'asked',
  decidedBy: null,
  decidedAt: null,
  usedAt: null,
  ...rest,
});

test('what needs an approval asks for a reason, and asks for exactly that', async () => {
  signInAs();
  const asked = fakeNetwork(({ path, method }) => {
    if (path.endsWith('/shells'))
      return { status: 403, body: { code: 403, error: 'approval.needed', message: 'Ask first.', facts: {} } };
    return { body: method === 'GET' ? [] : request({ way: 'shell', target: null }) };
  });
  await showScreen(<ApprovalWatch />);
  const opened = call(shellsApi.open, { params: { wg: 'main', device: device.id } });
  await expect(opened).rejects.toThrow();
  const dialog = within(await screen.findByRole('dialog', { name: 'Ask for approval' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Ask for approval' }));
  expect(await dialog.findByText('Required')).toBeTruthy();
  await userEvent.type(dialog.getByRole('textbox'), 'It stopped.');
  await userEvent.click(dialog.getByRole('button', { name: 'Ask for approval' }));
  await vi.waitFor(() =>
    expect(asked.find(({ path }) => path.endsWith('/approvals/shell'))?.body).toEqual({
      reason: 'It stopped.',
    }),
  );
});

test('what waits for an approval already is not asked for again', async () => {
  signInAs();
  fakeNetwork(({ path }) => {
    if (path.endsWith('/shells'))
      return { status: 403, body: { code: 403, error: 'approval.needed', message: 'Ask first.', facts: {} } };
    return { body: [request({ way: 'shell', target: null, by: 'zoe@example.org' })] };
  });
  await showScreen(
    <>
      <ApprovalWatch />
      <Notifications />
    </>,
  );
  await expect(call(shellsApi.open, { params: { wg: 'main', device: device.id } })).rejects.toThrow();
  expect(await screen.findByText(/Remote shell: waits for somebody to approve it/)).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('where what waits already cannot be asked for, the reason is asked for all the same', async () => {
  signInAs();
  fakeNetwork(({ path }) => {
    if (path.endsWith('/shells'))
      return { status: 403, body: { code: 403, error: 'approval.needed', message: 'Ask first.', facts: {} } };
    if (!path.endsWith('/approvals')) return { body: [] };
    return { status: 400, body: { code: 400, error: 'request.invalid', message: 'No.', facts: {} } };
  });
  await showScreen(<ApprovalWatch />);
  const elsewhere = buildDevice('Elsewhere').id;
  await expect(call(shellsApi.open, { params: { wg: 'main', device: elsewhere } })).rejects.toThrow();
  expect(await screen.findByRole('dialog', { name: 'Ask for approval' })).toBeTruthy();
});

test('the device shows who waits; somebody else approves, and nobody their own', async () => {
  signInAs();
  const asked = fakeNetwork(({ method }) => ({
    body: method === 'GET' ? [request()] : request({ state: 'approved', decidedBy: 'zoe@example.org' }),
  }));
  await showScreen(<DeviceApprovals device={device} />);
  expect(await screen.findByText(/Tunnel to tcp 192.168.1.20:502: max@example.org asks/)).toBeTruthy();
  expect(screen.getByText('The inverter stopped.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Approve' }));
  await vi.waitFor(() =>
    expect(asked.find(({ method }) => method === 'PUT')?.body).toEqual({ decision: 'approved' }),
  );
  expect(await screen.findByText(/zoe@example.org approved it for max@example.org/)).toBeTruthy();
});

test('what somebody asked for themselves they withdraw', async () => {
  signInAs();
  fakeNetwork(() => ({ body: [request({ by: 'zoe@example.org' })] }));
  await showScreen(<DeviceApprovals device={device} />);
  expect(await screen.findByText(/waits for somebody to approve it/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Withdraw' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull();
});

test('one list has every request and what became of it', async () => {
  signInAs();
  const late = request({ id: '7f9619ff-8b86-4d01-b42d-00c04fc964ff', expiresAt: Date.now() - 1 });
  const asked = fakeNetwork(({ path, method }) => {
    if (method === 'PUT') return { body: request({ state: 'refused' }) };
    return { body: path.endsWith('/approvals') ? [request(), late] : [device] };
  });
  await showScreen(<ApprovalList />);
  expect(await screen.findByText('Too late')).toBeTruthy();
  expect(screen.getAllByRole('button', { name: 'Approve' })).toHaveLength(1);
  const menus = screen.getAllByRole('button', { name: 'What to do with the request of max@example.org' });
  expect(menus).toHaveLength(1);
  await userEvent.click(menus[0] as HTMLElement);
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Refuse' }));
  await vi.waitFor(() =>
    expect(asked.find(({ method }) => method === 'PUT')?.body).toEqual({ decision: 'refused' }),
  );
});

test('an owner asks for a second person', async () => {
  signInAs();
  const rule = { isNeeded: false, changedBy: null, changedAt: null };
  const asked = fakeNetwork(({ method }) => ({
    body: method === 'GET' ? rule : { isNeeded: true, changedBy: 'zoe@example.org', changedAt: 1 },
  }));
  await showScreen(<ApprovalRuleCard />);
  await userEvent.click(await screen.findByRole('button', { name: 'Require a second person' }));
  expect(await screen.findByText(/Set by zoe@example.org/)).toBeTruthy();
  expect(asked.find(({ method }) => method === 'PUT')?.body).toEqual({ isNeeded: true });
});
