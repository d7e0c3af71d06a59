import { randomUUID } from 'node:crypto';
import type { Access } from '@albedo/contract/access/access';
import type { SocketAction, SocketReply } from '@albedo/contract/sockets/action';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BrowserSocket } from '../testing/browser-socket.ts';
import { IDENTITIES_ENV, identitiesOf } from '../testing/identities.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { socketActions } from './sockets.calls.ts';

/** Every socket action that there is, called by everybody there is. */
const actions = Object.entries<SocketAction>(socketActions);
let cloud: TestCloud;
const identities = identitiesOf(() => cloud);
const names = Object.keys(identities);

/** Why an identity does not even connect to the workgroup. */
const refused: Record<string, string> = {
  nobody: 'unauthorised',
  'a tampered token': 'invalid_token',
  'an expired token': 'invalid_token',
  'a revoked token': 'invalid_token',
  'a login token': 'invalid_token',
  'an enrolment token': 'invalid_token',
  'a display link': 'invalid_token',
  'provider staff': 'unauthorised',
  'an addon manager': 'unauthorised',
  'somebody outside the staff who is named as an addon manager': 'unauthorised',
  'an owner whom the identity provider of another workgroup signed in': 'unauthorised',
  'an owner of another workgroup': 'unauthorised',
};
const runsCommands = ['an API token', 'a member with the role power', 'the owner'];
/** Who holds every permission that an action may ask for. */
const holdsAll = ['an API token', 'the owner'];
/** The addon with the rules is off here; `access/declared.test.ts` has it on. */
const mayCall = ({ who }: Access, name: string): boolean =>
  who.kind === 'member' ||
  (who.kind === 'commands' && runsCommands.includes(name) && !lacksPerson(who, name)) ||
  (who.kind === 'can' && holdsAll.includes(name));
const lacksPerson = (who: Access['who'], name: string): boolean =>
  name === 'an API token' && 'inPerson' in who && who.inPerson === true;
/** What somebody reads who may not call it. */
const missing = ({ who }: Access, name: string): string => {
  if (lacksPerson(who, name)) return 'access.in_person';
  return who.kind === 'can' ? 'access.permission_missing' : 'access.no_commands';
};
const members = names.filter((name) => refused[name] === undefined);

let own = '';
let foreign = '';
const opened: BrowserSocket[] = [];
beforeAll(async () => {
  cloud = await startTestCloud(IDENTITIES_ENV);
  const { devices, workgroups } = cloud.cloud.features;
  await workgroups.ensure({ name: 'other', displayName: 'Other' });
  const device = { arch: 'arm64', ced: false } as const;
  own = (await devices.create('main', { ...device, name: 'own' }, null)).id;
  foreign = (await devices.create('other', { ...device, name: 'foreign' }, null)).id;
});
afterAll(async () => {
  for (const one of opened) one.close();
  await cloud.stop();
});

/** One socket of each identity that connects, for all of its calls. */
const connected = new Map<string, Promise<BrowserSocket>>();
function connectedAs(name: string): Promise<BrowserSocket> {
  const socket = connected.get(name) ?? socketOf(name);
  connected.set(name, socket);
  return socket;
}

async function socketOf(name: string): Promise<BrowserSocket> {
  const socket = new BrowserSocket(cloud, { token: await identities[name]?.(), orgName: 'main' });
  opened.push(socket);
  return socket.connected();
}

/** A request that every action accepts, so that a refusal can only be one of access. */
const request = (deviceId: string) => ({
  deviceId,
  cmd: 'id',
  table: 'data',
  source: 'cpu',
  feedId: 'none',
  config: '',
  shellId: randomUUID(),
  cols: 80,
  rows: 24,
});

/** The first reply, since a feed has no last one. */
function firstReply(socket: BrowserSocket, action: string, deviceId: string): Promise<SocketReply> {
  return new Promise((resolve) => void socket.call(action, request(deviceId), resolve));
}

const GONE = 'This device does not exist, or you do not have access to it.';
const hasDevice = ({ request: schema }: SocketAction) =>
  'deviceId' in ((schema as { shape?: object }).shape ?? {});

describe(`${actions.length} socket actions x ${names.length} identities`, () => {
  test.each(Object.keys(refused))('%s does not connect', async (name) => {
    await expect(socketOf(name)).rejects.toThrow(refused[name]);
  });

  test.each(members.flatMap((name) => actions.map(([action, of]) => [name, action, of] as const)))(
    '%s gets from %s what the contract says',
    async (name, action, { access }) => {
      const reply = await firstReply(await connectedAs(name), action, own);
      const isAllowed = mayCall(access, name);
      if (isAllowed)
        expect(reply.error?.message ?? '').not.toMatch(
          /cannot run commands|permission|in person|device does not exist|Not found/,
        );
      else expect(reply.error?.error).toBe(missing(access, name));
    },
  );

  const onDevices = actions.filter(([, action]) => hasDevice(action));
  test.each(members.flatMap((name) => onDevices.map(([action, of]) => [name, action, of] as const)))(
    'to %s, %s of a device of another workgroup is of one that does not exist',
    async (name, action, { access }) => {
      const socket = await connectedAs(name);
      const isAllowed = mayCall(access, name);
      // Who may do it nowhere does not learn either which devices there are.
      const wanted = isAllowed ? 'device.not_found' : missing(access, name);
      expect((await firstReply(socket, action, foreign)).error?.error).toBe(wanted);
      expect((await firstReply(socket, action, randomUUID())).error?.error).toBe(wanted);
    },
  );

  test.each(onDevices.map(([action]) => [action]))(
    '%s of a device outside the group of its caller is of one that does not exist, for all compositions',
    async (action) => {
      const token = await cloud.owner();
      const info = { value: { Site: 'Hill' } };
      await cloud.call('PUT', `devices/main/${own}/settings/info`, { token, body: info });
      for (const composition of [
        { type: 'IN', devices: [] },
        { type: 'NOT IN', devices: [own] },
        { type: 'META', field: 'Site', operator: '!=', value: 'Hill' },
        { type: 'SRC', devices: [] },
      ]) {
        const body = { name: randomUUID(), composition };
        const { _id } = (await cloud.call('POST', 'orgs/main/device-groups', { token, body })).body;
        const bound = await cloud.newUser({
          main: { role: 'power', permissions: ['read', 'controlDevices'], devGroup: _id },
        });
        const socket = await new BrowserSocket(cloud, { token: bound, orgName: 'main' }).connected();
        opened.push(socket);
        expect((await firstReply(socket, action, own)).error?.message).toBe(GONE);
      }
    },
  );
});
