import type { Permission, Role } from '@albedo/contract/access/permissions';
import type { NewAccessRule } from '@albedo/contract/access-control/access-control.schema';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { AuditStore } from '../audit/audit.store.ts';
import { BrowserSocket } from '../testing/browser-socket.ts';
import { auditOf, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let owner: string;
beforeAll(async () => {
  cloud = await startTestCloud();
  owner = await cloud.owner();
});
afterAll(() => cloud.stop());

const query = (sql: string) => cloud.cloud.features.postgres.query(sql);
const RULES = 'orgs/main/access-control';
const everybody: NewAccessRule = {
  resourceType: 'DeviceCommand',
  resourceId: 'all',
  actions: ['read', 'run'],
  principalType: 'Workgroup_Users',
  principalId: '-',
  effect: 'Allow',
};
const make = (rule: Partial<NewAccessRule> = {}, token = owner) =>
  cloud.call('POST', RULES, { token, body: { ...everybody, ...rule } });

async function switchAddon(isOn: boolean): Promise<void> {
  await query(`delete from workgroup_addons where workgroup = 'main'`);
  if (isOn)
    await query(
      `insert into workgroup_addons (workgroup, id, name) values ('main', 'access-control', 'Access')`,
    );
  cloud.cloud.features.workgroups.tellChanged('main');
}
beforeEach(async () => {
  await query('delete from access_rules');
  await switchAddon(true);
});

async function somebody(role: Role = 'power', permissions: Permission[] = ['read']) {
  const token = await cloud.newUser({ main: { role, permissions } });
  const { _id: id } = await cloud.cloud.features.sessions.verify(token);
  return { id, token };
}

/** What the socket says to a command: that the device is offline where the rules let it pass. */
async function command(token: string): Promise<string | undefined> {
  const { body } = await cloud.call('POST', 'devices/main', {
    token: owner,
    body: { name: crypto.randomUUID() },
  });
  const socket = await new BrowserSocket(cloud, { token, orgName: 'main' }).connected();
  const reply = await socket.call('device:cmd', { deviceId: body.id, cmd: 'uptime' });
  socket.socket.disconnect();
  return reply.error?.message;
}
const REFUSED = 'The access-control rules of this workgroup do not let you run device commands.';
const PASSED = 'The device is offline, so it cannot answer.';

test('no rule stands twice, however its actions are ordered, also when two are made side by side', async () => {
  const replies = await Promise.all([make({ actions: ['read', 'run'] }), make({ actions: ['run', 'read'] })]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await make()).body.error).toBe('access_rule.exists');
  const { body: other } = await make({ effect: 'Deny' });
  const change = { token: owner, body: { ...everybody, effect: 'Allow' } };
  expect((await cloud.call('PUT', `${RULES}/${other._id}`, change)).body.error).toBe('access_rule.exists');
  const same = { token: owner, body: { ...everybody, effect: 'Deny' } };
  expect((await cloud.call('PUT', `${RULES}/${other._id}`, same)).status).toBe(200);
});

describe('device commands', () => {
  test('need a rule where the addon is on, an owner too, and none where it is off', async () => {
    expect(await command(owner)).toBe(REFUSED);
    await make();
    expect(await command(owner)).toBe(PASSED);
    await query('delete from access_rules');
    await switchAddon(false);
    expect(await command(owner)).toBe(PASSED);
  });

  test('are denied at once by a rule on the role of a user, and allowed again without it', async () => {
    const { id, token } = await somebody();
    const role = (
      await cloud.call('POST', 'roles/main', { token: owner, body: { name: 'Guests', members: [id] } })
    ).body;
    await make();
    const { body: deny } = await make({ principalType: 'Role', principalId: role._id, effect: 'Deny' });
    expect(await command(token)).toBe(REFUSED);
    expect(await command(owner)).toBe(PASSED);
    await cloud.call('PUT', `roles/main/${role._id}`, {
      token: owner,
      body: { name: 'Guests', members: [] },
    });
    expect(await command(token)).toBe(PASSED);
    await cloud.call('PUT', `roles/main/${role._id}`, {
      token: owner,
      body: { name: 'Guests', members: [id] },
    });
    expect(await command(token)).toBe(REFUSED);
    expect((await cloud.call('DELETE', `roles/main/${role._id}`, { token: owner })).status).toBe(200);
    const { body: left } = await cloud.call('GET', RULES, { token: owner });
    expect(left).not.toContainEqual(expect.objectContaining({ _id: deny._id }));
    expect(await command(token)).toBe(PASSED);
  });

  test('of an API token follow the rules for tokens', async () => {
    const body = {
      owner: 'Script',
      email: 's@example.org',
      expiry: '7 days',
      permissions: ['controlDevices'],
    };
    const { body: token } = await cloud.call('POST', 'orgs/main/api-tokens', { token: owner, body });
    await make();
    expect(await command(token.token)).toBe(REFUSED);
    await make({ principalType: 'API_Token', principalId: token._id });
    expect(await command(token.token)).toBe(PASSED);
  });

  test('are not made or removed without their word in the audit log', async () => {
    const { body: made } = await make();
    const append = vi.spyOn(AuditStore.prototype, 'append').mockRejectedValue(new Error('no place'));
    try {
      expect((await make({ effect: 'Deny' })).status).toBe(500);
      expect((await cloud.call('DELETE', `${RULES}/${made._id}`, { token: owner })).status).toBe(500);
    } finally {
      append.mockRestore();
    }
    const rules = await query('select id from access_rules');
    expect(rules).toEqual([{ id: made._id }]);
  });

  test('that are refused stand in the audit log as failed', async () => {
    const { token } = await somebody();
    await command(token);
    const rows = (await auditOf(cloud, 'main')).filter((row) => row.controller === 'device_command');
    expect(rows.at(-1)).toMatchObject({ action: 'run', new_value: 'uptime', status: 'failed' });
  });
});

test('connected clients hear of every change of the rules', async () => {
  const { token } = await somebody('readonly');
  const socket = await new BrowserSocket(cloud, { token, orgName: 'main' }).connected();
  const made = socket.event('access-control:changed');
  const { body: rule } = await make();
  expect(await made).toEqual({ workgroup: 'main' });
  const removed = socket.event('access-control:changed');
  await cloud.call('DELETE', `${RULES}/${rule._id}`, { token: owner });
  expect(await removed).toEqual({ workgroup: 'main' });
  socket.close();
});

test('people see what the rules allow them, by resource', async () => {
  const { id, token } = await somebody();
  await make();
  await make({
    principalType: 'User',
    principalId: id,
    resourceId: 'restart',
    actions: ['run'],
    effect: 'Deny',
  });
  await make({ resourceType: 'Dashboard', actions: ['view', 'create'] });
  expect((await cloud.call('GET', `${RULES}/mine`, { token })).body).toEqual({
    isOn: true,
    resources: {
      DeviceCommand: { all: ['read', 'run'], restart: ['read'] },
      Dashboard: { all: ['view', 'create'] },
      Entity: { all: [] },
    },
  });
  await switchAddon(false);
  expect((await cloud.call('GET', `${RULES}/mine`, { token })).body.isOn).toBe(false);
});

describe('why somebody may do something', () => {
  const why = (asked: Record<string, string>) =>
    cloud.call(
      'GET',
      `${RULES}/why?${new URLSearchParams({ resourceType: 'DeviceCommand', action: 'run', ...asked })}`,
      {
        token: owner,
      },
    );

  test('is told by the rules in the order of their weight, and by the permission that is needed anyway', async () => {
    const { id } = await somebody('readonly');
    const { body: weak } = await make();
    const { body: strong } = await make({ principalType: 'User', principalId: id });
    const { body } = await why({ principalType: 'User', principalId: id });
    expect(body).toMatchObject({
      isAllowed: false,
      isAllowedByRules: true,
      permission: { needed: 'commands', isHeld: false },
    });
    expect(body.rules.map((rule: { _id: string }) => rule._id)).toEqual([strong._id, weak._id]);
  });

  test('is what is decided, whatever is asked and whatever the rules are', async () => {
    const { id, token } = await somebody();
    const { accessControl, sessions } = cloud.cloud.features;
    const session = await sessions.verify(token);
    const rules: Partial<NewAccessRule>[] = [
      { resourceId: 'restart', effect: 'Deny' },
      { principalType: 'User', principalId: id, actions: ['run'] },
      { principalType: 'User', principalId: id, actions: ['run'], resourceId: 'erase', effect: 'Deny' },
      { actions: ['manage'] },
      { principalType: 'Device_Group_Users', actions: ['read'], effect: 'Deny' },
    ];
    const seen = new Set<boolean>();
    for (const rule of [null, ...rules]) {
      if (rule) await make(rule);
      for (const action of ['read', 'run', 'manage'] as const)
        for (const resourceId of ['all', 'restart', 'erase']) {
          const { body } = await why({ principalType: 'User', principalId: id, action, resourceId });
          const isAllowed = await accessControl.allows(session, 'main', 'DeviceCommand', resourceId, action);
          expect(body.isAllowedByRules).toBe(isAllowed);
          expect(body.rules[0]?.effect === 'Allow').toBe(isAllowed);
          seen.add(isAllowed);
        }
    }
    expect(seen.size).toBe(2);
  });

  test('is not told of somebody else’s workgroup, nor of an action that does not exist', async () => {
    const stranger = await cloud.newUser({ other: { role: 'owner' } });
    const { _id: principalId } = await cloud.cloud.features.sessions.verify(stranger);
    expect((await why({ principalType: 'User', principalId })).body.error).toBe('member.not_found');
    expect((await why({ principalType: 'API_Token', principalId })).body.error).toBe('api_token.not_found');
    expect((await why({ principalType: 'User', principalId, action: 'view' })).status).toBe(400);
  });
});

describe('a rule', () => {
  test('names somebody of the workgroup, and makes sense', async () => {
    const stranger = await cloud.newUser({ other: { role: 'owner' } });
    const { _id: principalId } = await cloud.cloud.features.sessions.verify(stranger);
    for (const wrong of [
      { principalType: 'User', principalId },
      { principalType: 'Role', principalId },
      { principalType: 'Device_Group', principalId: 'no id' },
    ] as const)
      expect((await make(wrong)).body.error, wrong.principalType).toBe('access_rule.principal_unknown');
    const reply = await make({ actions: ['view'] });
    expect(reply).toMatchObject({ status: 400, body: { error: 'request.invalid' } });
    expect(reply.body.message).toContain('DeviceCommand has no action view. It has: read, run, manage.');
    const facts = { type: 'DeviceCommand', action: 'view', actions: 'read, run, manage' };
    expect(reply.body.issues).toMatchObject([{ path: 'actions', issue: 'issue.action_of', facts }]);
  });

  test('goes with the member it names', async () => {
    const { id } = await somebody();
    await make({ principalType: 'User', principalId: id });
    await cloud.call('DELETE', `orgs/main/members/${id}`, { token: owner });
    expect((await cloud.call('GET', RULES, { token: owner })).body).toEqual([]);
  });

  test('of one workgroup is none of another', async () => {
    const { body } = await make();
    const stranger = await cloud.newUser({ other: { role: 'owner' } });
    for (const method of ['PUT', 'DELETE']) {
      const path = `orgs/other/access-control/${body._id}`;
      const reply = await cloud.call(method, path, { token: stranger, body: everybody });
      expect(reply.body.error).toBe('access_rule.not_found');
    }
    expect((await cloud.call('GET', 'orgs/other/access-control', { token: stranger })).body).toEqual([]);
  });

  test('and a role are in the audit log with what they were and are', async () => {
    const { body: rule } = await make();
    const path = `${RULES}/${rule._id}`;
    await cloud.call('PUT', path, { token: owner, body: { ...everybody, effect: 'Deny' } });
    await cloud.call('DELETE', path, { token: owner });
    const { body: role } = await cloud.call('POST', 'roles/main', {
      token: owner,
      body: { name: 'Night shift' },
    });
    await cloud.call('PUT', `roles/main/${role._id}`, { token: owner, body: { name: 'Day shift' } });
    const rows = (await auditOf(cloud, 'main')).filter(
      ({ entity }) => entity === rule._id || String(entity).includes(role._id),
    );
    const allow = 'Allow read, run on DeviceCommand all for Workgroup_Users -';
    const deny = allow.replace('Allow', 'Deny');
    expect(rows).toMatchObject([
      { controller: 'access_control', action: 'create', new_value: allow, user_id: 'owner@example.org' },
      { action: 'update', old_value: allow, new_value: deny },
      { action: 'delete', old_value: deny },
      { controller: 'role', action: 'create' },
      {
        action: 'update',
        old_value: expect.stringContaining('Night'),
        new_value: expect.stringContaining('Day'),
      },
    ]);
  });
});

describe('a role', () => {
  const roles = (body: object) => cloud.call('POST', 'roles/main', { token: owner, body });

  test('has a name of its own and members of the workgroup', async () => {
    const { id } = await somebody();
    const name = crypto.randomUUID();
    expect((await roles({ name, members: [id, id] })).body).toMatchObject({ name, members: [id] });
    expect((await roles({ name })).body.error).toBe('role.name_taken');
    expect((await roles({ name: '' })).body.message).toContain('Required');
    const reply = await roles({ name: crypto.randomUUID(), members: [crypto.randomUUID()] });
    expect(reply.body.error).toBe('member.not_found');
  });

  test('is lost with the membership and not given back by a new one', async () => {
    const { id } = await somebody();
    const { body: role } = await roles({ name: crypto.randomUUID(), members: [id] });
    await cloud.call('DELETE', `orgs/main/members/${id}`, { token: owner });
    await cloud.cloud.features.workgroups.setMember('main', id, { role: 'power', permissions: ['read'] });
    const { body } = await cloud.call('GET', 'roles/main', { token: owner });
    expect(body).toContainEqual(expect.objectContaining({ _id: role._id, members: [] }));
  });
});
