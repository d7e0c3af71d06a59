import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { fakeNetwork, showScreen, signInAs } from '../../app/test-screen.tsx';
import { WhySection } from './why-section.tsx';

const ANN = '7c1f3a52-0b0e-4c55-9d5a-2f8f8f0f7a22';
const ann = { _id: ANN, userId: ANN, name: 'Ann', email: 'ann@example.org' };
const guests = {
  _id: '7c1f3a52-0b0e-4c55-9d5a-2f8f8f0f7a33',
  name: 'Guests',
  description: '',
  members: [ANN],
};
const rule = {
  _id: '7c1f3a52-0b0e-4c55-9d5a-2f8f8f0f7a44',
  resourceType: 'DeviceCommand',
  resourceId: 'all',
  actions: ['read', 'run'],
  principalType: 'Role',
  principalId: guests._id,
  effect: 'Deny',
  createdBy: 'zoe@example.org',
  createdAt: 0,
};
const weaker = {
  ...rule,
  _id: rule._id.replace(/44$/, '55'),
  principalType: 'Workgroup_Users',
  principalId: '-',
  effect: 'Allow',
};

test('the answer tells the permission, the rule that decides and the ones that weigh less', async () => {
  signInAs();
  const asked = fakeNetwork(({ path }) => {
    if (path.endsWith('/why'))
      return {
        body: {
          isAllowed: false,
          isOn: true,
          isAllowedByRules: false,
          permission: { needed: 'commands', isHeld: true },
          principal: { name: 'Ann', devGroup: null, roles: [guests._id] },
          rules: [rule, weaker],
        },
      };
    if (path.endsWith('/members')) return { body: [ann] };
    return { body: path.includes('/roles/') ? [guests] : [] };
  });
  await showScreen(<WhySection />);
  await userEvent.click(screen.getByRole('combobox', { name: 'Who' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Ann (ann@example.org)' }));
  expect(await screen.findByText('No: Ann cannot run any device command.')).toBeTruthy();
  expect(screen.getByText(/The user has the permission/)).toBeTruthy();
  expect(screen.getByText(/roles: Guests/)).toBeTruthy();
  const list = screen
    .getByText('Users with the role Guests cannot read or run any device command.')
    .closest('ul');
  const [first, second] = within(list as HTMLElement).getAllByRole('listitem');
  expect(first?.textContent).toContain('between equal rules Deny wins');
  expect(second?.textContent).toContain('Users not in a device group can read and run every device command.');
  expect(second?.textContent).toContain('another rule decides');
  expect(asked.some(({ path }) => path.endsWith('/access-control/why'))).toBe(true);
});

test('what is asked stands in the address, and the address asks it', async () => {
  signInAs();
  const asked = fakeNetwork(({ path }) => {
    if (path.endsWith('/members')) return { body: [ann] };
    if (path.endsWith('/why')) return { status: 404, body: { code: 404, message: 'Gone' } };
    return { body: [] };
  });
  const { router } = await showScreen(<WhySection />, `/?who=${ANN}&type=Dashboard&action=edit&resource=12`);
  const shownIn = (name: string) => screen.getByRole<HTMLInputElement>('combobox', { name }).value;
  await vi.waitFor(() => expect(shownIn('Who')).toBe('Ann (ann@example.org)'));
  expect([shownIn('Resource'), shownIn('Action')]).toEqual(['Dashboards', 'Edit']);
  expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('12');
  const why = () => asked.filter(({ path }) => path.endsWith('/why')).length;
  await vi.waitFor(() => expect(why()).toBe(1));
  await userEvent.click(screen.getByRole('combobox', { name: 'Action' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Delete' }));
  await vi.waitFor(() =>
    expect(router.state.location.search).toEqual({
      who: ANN,
      type: 'Dashboard',
      action: 'delete',
      resource: 12,
    }),
  );
  await vi.waitFor(() => expect(why()).toBe(2));
});
