import { screen, within } from '@testing-library/react';
import type { ComponentType } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildDevice } from './app/test-device.ts';
import { fakeNetwork, showScreen, signInAs } from './app/test-screen.tsx';
import { AnnouncementTable } from './features/announcements/announcement-table.tsx';
import { TokenList } from './features/api-tokens/token-list.tsx';
import { ApprovalList } from './features/approvals/approval-list.tsx';
import { DeviceList } from './features/devices/device-list.tsx';
import { DeadJobTable } from './features/jobs/dead-job-table.tsx';
import { InviteList } from './features/members/invite-list.tsx';
import { MemberList } from './features/members/member-list.tsx';
import { DamageTable } from './features/store-checks/damage-table.tsx';
import { TicketTable } from './features/support/ticket-table.tsx';
import { UserTable } from './features/workgroup-admin/user-table.tsx';
import { WorkgroupTable } from './features/workgroup-admin/workgroup-table.tsx';
import { RequestList } from './features/workgroup-requests/request-list.tsx';

/** Room of a table on a tablet of 820 px. */
const ROOM_PX = 714;

beforeEach(() => {
  Object.defineProperty(HTMLElement.prototype, 'clientWidth', { configurable: true, value: ROOM_PX });
});
afterEach(() => {
  Reflect.deleteProperty(HTMLElement.prototype, 'clientWidth');
});

/** Devices with and without problems: a column with an alarm must not displace another one here. */
const devices = [buildDevice('Roof'), buildDevice('Harbour')];
const Devices = () => <DeviceList devices={devices} />;

test.each<[string, ComponentType, string[]]>([
  ['devices', Devices, ['Name', 'Status', 'Last 24 h', 'Last in cloud', 'CPU']],
  ['approvals', ApprovalList, ['Asked', 'Device', 'What', 'State']],
  ['users', MemberList, ['Name', 'Email', 'Role', 'Last sign-in']],
  ['invites', InviteList, ['Email', 'Role', 'Sent', 'Expires']],
  ['API tokens', TokenList, ['Token owner', 'Status', 'Expires', 'Last used']],
  ['workgroups', WorkgroupTable, ['Name', 'Status', 'Members', 'Devices', 'Online']],
  ['accounts', UserTable, ['Email', 'Name', 'Workgroups']],
  ['requests', RequestList, ['Company', 'Name', 'Email address']],
  ['tickets', TicketTable, ['#', 'Subject', 'Created', 'Workgroup']],
  ['announcements', AnnouncementTable, ['Title', 'Status', 'Start']],
  ['failed jobs', DeadJobTable, ['Job', 'Reason', 'Failed at']],
  ['damage', DamageTable, ['What', 'What happened to it', 'Found at']],
])('the table of %s fits a tablet, with what matters most', async (_what, List, titles) => {
  signInAs({ staff: true });
  fakeNetwork(() => ({ body: [] }));
  await showScreen(<List />);
  const grid = await screen.findByRole('grid');
  const shown = within(grid)
    .getAllByRole('columnheader')
    .map(({ textContent }) => textContent?.replace(/[↑↓]/, '').trim())
    .filter((title) => title && title !== 'Actions');
  expect(shown).toEqual(titles);
  const head = grid.firstElementChild as HTMLElement;
  expect(Number.parseInt(head.style.minWidth, 10)).toBeGreaterThan(0);
  expect(Number.parseInt(head.style.minWidth, 10)).toBeLessThanOrEqual(ROOM_PX);
});
