import { randomUUID } from 'node:crypto';
import { getTableName } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyEndpoint, NEW_TOKEN } from '../testing/identities.ts';
import { buildAgent, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { openAddons, RULE, THINGS, type Thing, thingsOf } from '../testing/things-of.ts';

/**
 * What belongs to one workgroup does not exist for the owner of another one, whose rights are all there are: neither by
 * its id in an address or a body, nor in anything that is read.
 */
const endpoints = await everyEndpoint();
const inWorkgroups = endpoints.filter(
  ({ url, access }) => url.includes(':wg') && !['staff', 'addonManager'].includes(access.who.kind),
);
const kindIn = (url: string): Thing | undefined =>
  // Of all that has versions dashboards are the first.
  url.startsWith('/history/') ? 'board' : THINGS.find((kind) => url.split('/').includes(`:${kind}`));
const byId = inWorkgroups.filter(({ url }) => kindIn(url));

const WORD = 'hidden-from-others';
/** Principals of rules that are named by an id. */
const PRINCIPALS = [
  ['User', 'member'],
  ['Role', 'role'],
  ['API_Token', 'apiToken'],
  ['Device_Group', 'devGroup'],
  ['Device_Group_API_Token', 'devGroup'],
] as const;
let cloud: TestCloud;
let stranger = '';
let strangerId = '';
let ids = {} as Record<Thing, string>;

beforeAll(async () => {
  cloud = await startTestCloud();
  buildAgent(cloud);
  const { sessions } = cloud.cloud.features;
  const owner = await cloud.newUser({ theirs: { role: 'owner' } });
  stranger = await cloud.newUser({ ours: { role: 'owner' } });
  strangerId = (await sessions.verify(stranger))._id;
  for (const workgroup of ['theirs', 'ours']) await openAddons(cloud, workgroup);
  ids = await thingsOf(cloud, 'theirs', owner, WORD);
  // The jobs of each minute change records of every workgroup.
  await cloud.standStill();
});
afterAll(() => cloud.stop());

const pathOf = (url: string, id: string) =>
  url
    .slice(1)
    .replace(':wg', 'ours')
    .replace(':table', 'audit_logs')
    .replace(':key', 'info')
    .replace(':thing', 'dashboard')
    .replace(':report', 'energy')
    .replace(':config', 'capacity-factor-config')
    .replace(':version', '1')
    .replace(':task', 'internal')
    .replace(/:\w+/g, id);

/** Everything that the database has of a workgroup, and all jobs: a line for each row, with its table. */
async function recordsOf(workgroup: string): Promise<string[]> {
  const { postgres, workgroupParts } = cloud.cloud.features;
  const tables = workgroupParts.flatMap(({ tables = [] }) => tables);
  const lines = tables.map(async ({ table, of }) => {
    const rows = await postgres.db.select().from(table).where(of(workgroup));
    return rows.map((row) => `${getTableName(table)} ${JSON.stringify(row)}`);
  });
  const jobs = await postgres.query<object>('select name, data from pgboss.job');
  return [
    ...(await Promise.all(lines)).flat(),
    ...jobs.map((job) => `job ${JSON.stringify(job)}`),
  ].toSorted();
}

test('every id that an address can name is one of a known kind', () => {
  const others = inWorkgroups.flatMap(({ url }) => url.match(/:\w+/g) ?? []);
  // A plugin is of its publisher; services, files and variables have their names on their device; a tunnel, an approval, a photo and
  // a backup are of their device, a message of its webhook; a long action is of the one who began it, a remote shell of its device, and a run that is not there has no outcomes.
  const known = [
    ':wg',
    ':key',
    ':table',
    ':stream',
    ':label',
    ':action',
    ':shell',
    ':run',
    ':thing',
    ':report',
    ':config',
    ':id',
    ':version',
    ':task',
    ':plugin',
    ':name',
    ':file',
    ':variable',
    ':tunnel',
    ':backup',
    ':delivery',
    ':month',
    ':approval',
    ':photo',
    ...THINGS.map((kind) => `:${kind}`),
  ];
  expect(others.filter((one) => !known.includes(one))).toEqual([]);
});

/** Deleting what is not there is no error there: whoever asks again after an answer that was lost reads the same. */
const HARMLESS: ReadonlySet<string> = new Set([
  'DELETE /notifications/:wg/channels/:channel',
  'DELETE /escalations/:wg/:escalation',
  'DELETE /rotas/:wg/:rota',
  'DELETE /orgs/:wg/watches/:watch',
  'DELETE /webhooks/:wg/:webhook',
]);

describe(`${byId.length} endpoints that name something of another workgroup`, () => {
  test.each(byId.map((one) => [`${one.method} ${one.url}`, one] as const))(
    '%s answers as for what does not exist, and changes nothing',
    async (_name, { method, url, example }) => {
      const before = await recordsOf('theirs');
      const ask = (id: string) =>
        cloud.call(method, pathOf(url, id), { token: stranger, body: example?.body });
      const foreign = ids[kindIn(url) as Thing];
      const none = randomUUID();
      const [reply, wanted] = [await ask(foreign), await ask(none)];
      const status = HARMLESS.has(`${method} ${url}`) ? 200 : 404;
      expect([wanted.status, reply.status]).toEqual([status, status]);
      expect(reply.bytes.toString().replaceAll(foreign, none)).toBe(wanted.bytes.toString());
      expect(await recordsOf('theirs')).toEqual(before);
    },
  );
});

/** What bodies and queries can name by an id. */
const NAMED: [what: string, kind: Thing, path: (id: string) => string, body?: (id: string) => unknown][] = [
  [
    'an invitation into a group',
    'devGroup',
    () => 'orgs/ours/members',
    (devGroup) => ({ email: 'new@example.org', devGroup }),
  ],
  [
    'a token of a group',
    'devGroup',
    () => 'orgs/ours/api-tokens',
    (devGroup) => ({ ...NEW_TOKEN, devGroup }),
  ],
  ['a role of a member', 'member', () => 'roles/ours', (id) => ({ name: 'Crew', members: [id] })],
  [
    'a group of a device',
    'device',
    () => 'orgs/ours/device-groups',
    (id) => ({ name: 'North', composition: { type: 'IN', devices: [id] } }),
  ],
  [
    'a preview of a device',
    'device',
    () => 'orgs/ours/device-groups/preview',
    (id) => ({ type: 'IN', devices: [id] }),
  ],
  [
    'a series of a device',
    'device',
    () => 'series/ours',
    (device) => ({
      from: 0,
      to: 1000,
      series: [{ device, table: 'data', source: 's', field: 'power' }],
    }),
  ],
  ...PRINCIPALS.map(([principalType, kind]): (typeof NAMED)[number] => [
    `a rule for a ${principalType}`,
    kind,
    () => 'orgs/ours/access-control',
    (principalId) => ({ ...RULE, principalType, principalId }),
  ]),
  ...(['User', 'API_Token'] as const).map((type): (typeof NAMED)[number] => [
    `why a ${type} may do something`,
    type === 'User' ? 'member' : 'apiToken',
    (id) =>
      `orgs/ours/access-control/why?principalType=${type}&principalId=${id}&resourceType=DeviceCommand&action=run`,
  ]),
];

test.each(NAMED)('%s of another workgroup is of one that does not exist', async (_what, kind, path, body) => {
  const none = randomUUID();
  const ask = (id: string) =>
    cloud.call(body ? 'POST' : 'GET', path(id), { token: stranger, body: body?.(id) });
  const [reply, wanted] = [await ask(ids[kind]), await ask(none)];
  expect(reply.status).toBe(wanted.status);
  expect(reply.bytes.toString().replaceAll(ids[kind], none)).toBe(wanted.bytes.toString());
});

test.each(inWorkgroups.filter(({ method }) => method === 'GET').map(({ url }) => [url]))(
  'GET %s tells nothing of another workgroup',
  async (url) => {
    await cloud.cloud.features.audit.flush();
    const reply = await cloud.call('GET', pathOf(url, strangerId), { token: stranger });
    expect(reply.status).not.toBe(500);
    const text = reply.bytes.toString();
    for (const hidden of [WORD, 'theirs', ...Object.values(ids)]) expect(text).not.toContain(hidden);
  },
);
