import {
  type Access,
  addonManager,
  anyone,
  apiTokenBearer,
  can,
  canInPerson,
  commands,
  enrolling,
  enrolment,
  member,
  memberInPerson,
  oneTimeCode,
  signedIn,
  staff,
} from '@albedo/contract/access/access';
import type { WorkgroupScope } from '@albedo/contract/access/permissions';
import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import { expect, test } from 'vitest';
import { AppError } from '../errors/app-error.ts';
import { type Asked, demandAccess, mayRead } from './check.ts';
import { ALL_DEVICES } from './device-scope.ts';
import { bearerToken, type Guard } from './guard.ts';

const scope = (of: Partial<WorkgroupScope>): WorkgroupScope => ({
  role: 'readonly',
  permissions: [],
  ps: '',
  devGroup: null,
  scopes: { device: [] },
  ...of,
});
const session = (of: Partial<SessionClaims>): SessionClaims => ({
  _id: '7c1f3a52-0b0e-4c55-9d5a-2f8f8f0f7a11',
  name: 'Ann',
  email: 'ann@example.org',
  iat: 0,
  exp: 1,
  jti: 'a',
  defaultWorkgroup: null,
  memberOf: [],
  scopes: {},
  staff: false,
  ...of,
});
const inMain = (of: Partial<WorkgroupScope>, claims: Partial<SessionClaims> = {}) =>
  session({ scopes: { main: scope(of) }, ...claims });
const now = () => Math.floor(Date.now() / 1000);

/** A guard of an open workgroup with the addon `schedules`, whose rules allow what has the id `board`. */
const guard = {
  isOpen: () => true,
  hasAddon: (_workgroup, addon) => addon === 'schedules',
  rulesAllow: async (_session, _workgroup, { id }) => String(id) === 'board',
  scope: () => ALL_DEVICES,
} as Partial<Guard> as Guard;

/** Name of the refusal; null where there is none. */
async function refusal(
  access: Access,
  by: SessionClaims,
  of: Partial<Asked> = {},
  from = guard,
): Promise<string | null> {
  const asked = { session: by, workgroup: 'main', params: {}, body: undefined, device: undefined, ...of };
  return demandAccess(from, access, asked).then(
    () => null,
    ({ error }) => error,
  );
}

test('signed-in people, API tokens and staff are told apart', async () => {
  const person = session({});
  const token = session({ apiToken: true });
  const employee = session({ staff: true });
  const forbidden = 'request.forbidden';
  const rows: [Access, string | null, string | null, string | null][] = [
    [anyone, null, null, null],
    [signedIn, null, forbidden, null],
    [apiTokenBearer, forbidden, null, forbidden],
    [staff, forbidden, forbidden, null],
    // What opens these is no session.
    [enrolment, forbidden, forbidden, forbidden],
    [oneTimeCode, forbidden, forbidden, forbidden],
    [enrolling, forbidden, forbidden, forbidden],
  ];
  for (const [access, ...wanted] of rows) {
    const got = await Promise.all([person, token, employee].map((one) => refusal(access, one)));
    expect([access.who.kind, ...got]).toEqual([access.who.kind, ...wanted]);
  }
});

test('a device that the workgroup lacks, or the caller may not see, is refused before anything else of it', async () => {
  const north = { ...ALL_DEVICES, isAll: false, has: (id: string) => id === 'one' };
  const narrow = {
    ...guard,
    scope: () => north,
    device: async (_workgroup, id, scope) => {
      if (!scope.has(id)) throw new AppError('device.not_found');
    },
  } as Partial<Guard> as Guard;
  const access: Access = { ...member, addon: 'calculations' };
  expect(await refusal(member, inMain({}), { device: 'one' }, narrow)).toBeNull();
  expect(await refusal(access, inMain({}), { device: 'two' }, narrow)).toBe('device.not_found');
  const asked = { session: inMain({}), workgroup: 'main', params: {}, body: undefined, device: 'one' };
  expect(await demandAccess(narrow, member, asked)).toBe(north);
});

test('who hears of an answer is who may read it', () => {
  const inLists = (access: Access, by: SessionClaims) => mayRead(guard, access, by, 'main');
  expect(inLists(can('audit'), inMain({ permissions: ['audit'] }))).toBe(true);
  expect(inLists(can('audit'), inMain({}))).toBe(false);
  expect(inLists({ ...member, addon: 'schedules' }, inMain({}))).toBe(true);
  expect(inLists({ ...member, addon: 'calculations' }, inMain({}))).toBe(false);
});

test('a named addon manager who is not of the staff decides nothing', async () => {
  expect(await refusal(addonManager, session({ addonManager: true }))).toBe('request.forbidden');
  expect(await refusal(addonManager, session({ staff: true }))).toBe('request.forbidden');
  expect(await refusal(addonManager, session({ staff: true, addonManager: true }))).toBeNull();
});

test('what somebody may do in one workgroup counts in no other one, and staff is no member', async () => {
  const owner = inMain({ role: 'owner' }, { staff: true });
  for (const access of [member, can('read'), commands, canInPerson('read'), memberInPerson]) {
    expect(await refusal(access, owner)).toBeNull();
    for (const workgroup of ['other', null, '__proto__', 'constructor'])
      expect(await refusal(access, owner, { workgroup })).toBe('request.forbidden');
  }
});

test('one of the permissions is enough, and commands need a role or the device scope for them', async () => {
  const either = can('audit', 'tunnel');
  expect(await refusal(either, inMain({ permissions: ['tunnel'] }))).toBeNull();
  expect(await refusal(either, inMain({ permissions: ['read'] }))).toBe('access.permission_missing');
  expect(await refusal(commands, inMain({ permissions: ['controlDevices'] }))).toBe('access.no_commands');
  expect(await refusal(commands, inMain({ scopes: { device: ['rpc'] } }))).toBeNull();
  expect(await refusal(commands, inMain({ role: 'power' }))).toBeNull();
});

test('what is for people is closed to API tokens, whatever they hold', async () => {
  const token = inMain({ permissions: ['audit'] }, { apiToken: true });
  expect(await refusal(member, token)).toBeNull();
  expect(await refusal(can('audit'), token)).toBeNull();
  expect(await refusal(memberInPerson, token)).toBe('access.in_person');
  expect(await refusal(canInPerson('audit'), token)).toBe('access.in_person');
});

test('members read what is missing, strangers read that of nothing', async () => {
  const everything: Access = {
    ...can('coordinate'),
    unbound: true,
    addon: 'calculations',
    rule: { resource: 'Dashboard', action: 'edit', on: 'params.board' },
    fresh: true,
  };
  const asked = { params: { board: 'another' } };
  expect(await refusal(everything, session({}), asked)).toBe('request.forbidden');
  expect(await refusal(everything, session({ staff: true }), asked)).toBe('request.forbidden');
  expect(await refusal(everything, inMain({}), asked)).toBe('access.permission_missing');
  const bound = inMain({ permissions: ['coordinate'], devGroup: 'north' });
  expect(await refusal(everything, bound, asked)).toBe('device_group.bound');
  const free = inMain({ permissions: ['coordinate'] });
  expect(await refusal(everything, free, asked)).toBe('access.addon_missing');
  const withAddon: Access = { ...everything, addon: 'schedules' };
  expect(await refusal(withAddon, free, asked)).toBe('access.denied');
  expect(await refusal(withAddon, free, { params: { board: 'board' } })).toBe('session.not_fresh');
  const fresh = { ...free, confirmedAt: now() };
  expect(await refusal(withAddon, fresh, { params: { board: 'board' } })).toBeNull();
});

test('a rule about what the body names is checked when the body is there, and one without a name is about all', async () => {
  const access: Access = { ...member, rule: { resource: 'Dashboard', action: 'view', on: 'body.board' } };
  const by = inMain({});
  expect(await refusal(access, by)).toBeNull();
  expect(await refusal(access, by, { body: { board: 'board' } })).toBeNull();
  const inherited: unknown = Object.create({ board: 'board' });
  for (const body of [{ board: 'another' }, {}, null, 'board', ['board'], { board: ['board'] }, inherited])
    expect(await refusal(access, by, { body })).toBe('access.denied');
});

test('a confirmation is fresh for five minutes, and only where the body says so if it is declared so', async () => {
  const access: Access = { ...member, fresh: true };
  const at = (confirmedAt?: number) => inMain({}, confirmedAt === undefined ? {} : { confirmedAt });
  expect(await refusal(access, at())).toBe('session.not_fresh');
  expect(await refusal(access, at(now() - 299))).toBeNull();
  expect(await refusal(access, at(now() - 302))).toBe('session.not_fresh');
  expect(await refusal(access, at(now() + 400))).toBe('session.not_fresh');
  const forOwners: Access = { ...member, fresh: { body: { role: 'owner' } } };
  expect(await refusal(forOwners, at(), { body: { role: 'power' } })).toBeNull();
  expect(await refusal(forOwners, at(), { body: { role: 'owner' } })).toBe('session.not_fresh');
  expect(await refusal(forOwners, at())).toBeNull();
});

test('a workgroup that the provider closed is closed to its members, not to the staff', async () => {
  const closed = { ...guard, isOpen: () => false } as Guard;
  expect(await refusal(member, inMain({}), {}, closed)).toBe('workgroup.suspended');
  const staff = session({ staff: true, addonManager: true });
  expect(await refusal(addonManager, staff, {}, closed)).toBeNull();
});

test.each([
  ['bearer a.b', 'a.b'],
  ['Bearer  a.b', 'a.b'],
  ['basic a.b', null],
  ['bearer a b', null],
  ['bearer', null],
  [undefined, null],
])('the header %j carries the token %j', (header, token) => {
  expect(bearerToken(header)).toBe(token);
});
