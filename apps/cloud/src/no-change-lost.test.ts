import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ask, atOnce } from './testing/at-once.ts';
import { everyEndpoint, IDENTITIES_ENV, identitiesOf } from './testing/identities.ts';
import { auditOf, startTestCloud, type TestCloud } from './testing/test-cloud.ts';
import { openAddons, type Thing, thingsOf } from './testing/things-of.ts';
import { newDatabase } from './testing/two-clouds.ts';

const { ALBEDO_TEST_DATABASE_URL: serverUrl = '' } = process.env;

/** PUTs of which each says only a part: of two at once both stand. With the table that is held, and how it is read again. */
const PARTS: Record<string, { table: string; read: string; at?: string; parts: [object, object] }> = {
  '/orgs/:wg/members/:member': {
    table: 'members',
    read: 'orgs/main/members',
    parts: [{ mfaRequired: true }, { role: 'power' }],
  },
  '/orgs/:wg': { table: 'workgroups', read: 'orgs', parts: [{ displayName: 'Sun' }, { theme: {} }] },
  '/me/profile': { table: 'users', read: 'me/profile', parts: [{ company: 'Sun' }, { phone: '1' }] },
  '/opsteam/tickets/:ticket': {
    table: 'support_tickets',
    read: 'opsteam/tickets',
    parts: [{ status: 'closed' }, { assign: true }],
  },
  '/entities/:wg/:entity': {
    table: 'entities',
    read: 'entities/main',
    parts: [{ labels: ['pv'] }, { meta: { kWp: 5 } }],
  },
};

/** PUTs that put a whole in the place of another, with the version that it was made from: of two at once one is refused. */
const VERSIONED: Record<string, { table: string; read: string; error: string; versionIn?: 'query' }> = {
  '/kpis/:wg/:kpi': { table: 'kpis', read: 'kpis/main', error: 'history.not_newest' },
  '/machines/:wg/:machine': { table: 'machines', read: 'machines/main', error: 'history.not_newest' },
  '/calculations/:wg/:calculation': {
    table: 'calculations',
    read: 'calculationsV2/main',
    error: 'history.not_newest',
  },
  '/searches/:wg/:search': { table: 'searches', read: 'searches/main', error: 'history.not_newest' },
  '/alerts/:wg/:alert': {
    table: 'alerts',
    read: 'alerts/main',
    error: 'history.not_newest',
    versionIn: 'query',
  },
  '/entityDashboards/:wg/:board': {
    table: 'entity_dashboards',
    read: 'entityDashboards/main/:board',
    error: 'board.changed',
  },
  '/widgetLibrary/:wg/:widget': {
    table: 'library_widgets',
    read: 'widgetLibrary/main',
    error: 'library_widget.changed',
  },
};

/** Kept by its name instead of an id. */
const REPORT = '/energy/:wg/config/:config';

/** PUTs of one value among others under a key of its own: of two keys at once both stand. */
const KEYED: Record<
  string,
  { table: string; asks: (ids: Record<Thing, string>) => [Ask, Ask]; read: string }
> = {
  '/orgs/:wg/settings/:key': {
    table: 'workgroup_settings',
    read: 'orgs/main/settings',
    asks: () => [
      ['PUT', 'orgs/main/settings/categories', { value: ['Safety'] }],
      ['PUT', 'orgs/main/settings/deviceInfoKeys', { value: ['Site'] }],
    ],
  },
  '/devices/:wg/:device/settings/:key': {
    table: 'devices',
    read: 'devices/main/:device',
    asks: ({ device }) => [
      ['PUT', `devices/main/${device}/settings/one`, { value: 'Sun' }],
      ['PUT', `devices/main/${device}/settings/two`, { value: 'Moon' }],
    ],
  },
  '/entities/:wg/:entity/settings/:key': {
    table: 'entities',
    read: 'entities/main',
    asks: ({ entity }) => [
      ['PUT', `entities/main/${entity}/settings/one`, { value: 'Sun' }],
      ['PUT', `entities/main/${entity}/settings/two`, { value: 'Moon' }],
    ],
  },
  '/devices/:wg/:device/metadata': {
    table: 'devices',
    read: 'devices/main/:device',
    asks: ({ device }) => [
      ['PUT', `devices/main/${device}/metadata`, { source: 'one', info: { Site: 'Sun' } }],
      ['PUT', `devices/main/${device}/metadata`, { source: 'two', info: { Site: 'Moon' } }],
    ],
  },
  '/settings/:key': {
    table: 'user_settings',
    read: 'settings',
    asks: () => [
      ['PUT', 'settings/language', { value: 'de' }],
      ['PUT', 'settings/timeZone', { value: 'Europe/Berlin' }],
    ],
  },
  '/dataFields/:wg': {
    table: 'data_fields',
    read: 'dataFields/main',
    asks: () => [
      ['PUT', 'dataFields/main', { table: 'data', field: 'one', displayName: 'Sun', units: null }],
      ['PUT', 'dataFields/main', { table: 'data', field: 'two', displayName: 'Moon', units: null }],
    ],
  },
  '/entities/:wg': {
    table: 'entities',
    read: 'entities/main',
    asks: ({ entity }) => [
      ['PUT', 'entities/main', { changes: [{ _id: entity, name: 'Sun' }] }],
      ['PUT', 'entities/main', { changes: [{ _id: entity, settings: { three: 'Moon' } }] }],
    ],
  },
};

/** PUTs of a whole without versions: what stands after two at once is one of them, and the audit log tells of both. */
const WHOLES: Record<string, { table: string; read: string; of: (ids: Record<Thing, string>) => object[] }> =
  {
    '/roles/:wg/:role': {
      table: 'roles',
      read: 'roles/main',
      of: ({ member }) => [
        { name: 'Sun', description: 'Sun', members: [member] },
        { name: 'Moon', description: 'Moon', members: [member] },
      ],
    },
    '/orgs/:wg/device-groups/:devGroup': {
      table: 'device_groups',
      read: 'orgs/main/device-groups',
      of: ({ device }) => [
        { name: 'Sun', composition: { type: 'IN', devices: [device] } },
        { name: 'Moon', composition: { type: 'NOT IN', devices: [device] } },
      ],
    },
    '/notifications/:wg/channels/:channel': {
      table: 'notify_channels',
      read: 'notifications/main/channels',
      of: () => [
        { kind: 'email', name: 'Sun', emails: ['sun@example.org'] },
        { kind: 'email', name: 'Moon', emails: ['moon@example.org'] },
      ],
    },
    '/webhooks/:wg/:webhook': {
      table: 'webhooks',
      read: 'webhooks/main',
      of: () => [
        { name: 'Sun', events: ['device.online'] },
        { name: 'Moon', events: ['device.offline'] },
      ],
    },
    '/schedules/:wg/:schedule': {
      table: 'schedules',
      read: 'schedules/main',
      of: () => [
        { name: 'Sun', entries: [] },
        { name: 'Moon', entries: [] },
      ],
    },
    '/escalations/:wg/:escalation': {
      table: 'escalations',
      read: 'escalations/main',
      of: ({ member }) => [
        { name: 'Sun', steps: [{ afterMinutes: 1, users: [member] }] },
        { name: 'Moon', steps: [{ afterMinutes: 2, users: [member] }] },
      ],
    },
  };

/**
 * PUTs that need no pair: they have one field, ask a device for something, take a file or a code, or belong to one person who
 * does one thing after the other.
 */
const ALONE = [
  '/orgs/:wg/access-control/:rule',
  '/me/password',
  '/suppressions/:wg/:suppression',
  '/announcements/:announcement',
  '/commissioning/:wg/:commissioning',
  '/devices/:wg/:device/commands/:command',
  '/devices/:wg/:device/large-files',
  '/devices/:wg/:device/nmapscan',
  '/devices/:wg/:device/modbus',
  '/externalSources/:wg/:externalSource',
  '/devices/:wg/:device/fieldRoles',
  '/formulae/:wg/:formula',
  '/metadata/:wg/field',
  '/incidents/:wg/:incident/shelve',
  '/notifications/:wg/heartbeat',
  '/rotas/:wg/:rota',
  '/devices/:wg/:device/plugins/:plugin/service/:name',
  '/devices/:wg/:device/plugins/:plugin/task/:name',
  '/devices/:wg/:device/plugins/:plugin/task/:name/disabled',
  '/searches/:wg/:search/schedule',
  '/process/:wg/task/:task/jobs/:securityJob/findings',
  '/newuser',
  '/schedules/:wg/device/:device/bounds',
  '/schedules/:wg/device/:device/:deviceSchedule/approval',
];

const puts = (await everyEndpoint()).filter(({ method }) => method === 'PUT');

test('of every PUT that says more than one thing it is known what two at once do', () => {
  const fieldsOf = (schema: unknown): number =>
    Object.keys((schema as { shape?: object } | undefined)?.shape ?? {}).length;
  const known = [REPORT, ...[PARTS, VERSIONED, KEYED, WHOLES].flatMap((all) => Object.keys(all))];
  const unknown = puts.filter(({ schema, url }) => fieldsOf(schema.body) > 1 && !known.includes(url));
  expect(unknown.map(({ url }) => url).filter((url) => !ALONE.includes(url))).toEqual([]);
  const urls = new Set(puts.map(({ url }) => url));
  expect([...known, ...ALONE].filter((url) => !urls.has(url))).toEqual([]);
});

/** Two changes at the same instant. The embedded database does one transaction after the other and shows none of it. */
describe.runIf(serverUrl)('of two changes at once', () => {
  let cloud: TestCloud;
  let owner = '';
  let staff = '';
  let ids = {} as Record<Thing, string> & { ticket: string };
  beforeAll(async () => {
    cloud = await startTestCloud({ ...IDENTITIES_ENV, DATABASE_URL: await newDatabase(serverUrl) });
    owner = await cloud.owner();
    staff = (await identitiesOf(() => cloud)['provider staff']?.()) ?? '';
    await openAddons(cloud, 'main');
    const things = await thingsOf(cloud, 'main', owner, 'pair');
    const body = new FormData();
    const words = { name: 'Ann', email: 'ann@example.org', subject: 'Help', body: 'Please' };
    for (const [name, text] of Object.entries(words)) body.set(name, text);
    const ticket = await cloud.call('POST', 'support', { token: owner, body });
    expect(ticket.status).toBe(200);
    const [first] = (await cloud.call('GET', 'opsteam/tickets', { token: staff })).body;
    ids = { ...things, ticket: first._id };
    await cloud.call('POST', `entities/main/${ids.entity}/settings`, {
      token: owner,
      body: { key: 'one', value: '' },
    });
    await cloud.call('POST', `entities/main/${ids.entity}/settings`, {
      token: owner,
      body: { key: 'two', value: '' },
    });
  }, 60_000);
  afterAll(() => cloud?.stop());

  const named = (url: string) =>
    url
      .slice(1)
      .replace(':wg', 'main')
      .replace(/:(\w+)/g, (_, name: Thing) => ids[name]);
  const by = (url: string) => (url.startsWith('/opsteam') ? staff : owner);
  const read = async (path: string, url: string) => {
    const reply = await cloud.call('GET', named(`/${path}`), { token: by(url) });
    expect(reply.status, path).toBe(200);
    return reply.body;
  };
  const kindOf = (url: string) => (url.match(/:(\w+)$/)?.[1] ?? '') as Thing;
  const theOne = (list: unknown, url: string) =>
    Array.isArray(list)
      ? list.find(({ _id, name }) => (url === '/orgs/:wg' ? name === 'main' : _id === ids[kindOf(url)]))
      : list;

  test.each(Object.keys(PARTS))('both parts stand: PUT %s', async (url) => {
    const { table, read: path, parts } = PARTS[url] as (typeof PARTS)[string];
    const asks = parts.map((part): Ask => ['PUT', named(url), part, by(url)]);
    const replies = await atOnce(cloud, owner, table, ...asks);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const now = theOne(await read(path, url), url);
    const { assign, ...wanted }: Record<string, unknown> = { ...parts[0], ...parts[1] };
    expect(now).toMatchObject({ ...wanted, ...(assign ? { assignee: expect.any(String) } : {}) });
  });

  test.each(Object.keys(VERSIONED))('one is refused with both versions: PUT %s', async (url) => {
    const { table, read: path, error, versionIn } = VERSIONED[url] as (typeof VERSIONED)[string];
    const example = puts.find((one) => one.url === url)?.example?.body as object;
    const before = theOne(await read(path, url), url);
    const { version } = before as { version: number };
    const at = versionIn === 'query' ? `${named(url)}?version=${version}` : named(url);
    const asks = ['Sun', 'Moon'].map((name): Ask => {
      const body = { ...example, name: `${name} of ${kindOf(url)}` };
      return ['PUT', at, versionIn === 'query' ? body : { ...body, version }];
    });
    const [done, refused] = await atOnce(cloud, owner, table, ...asks);
    expect(done?.status).toBe(200);
    expect(refused).toMatchObject({ status: 409, body: { error } });
    if (url !== '/widgetLibrary/:wg/:widget')
      expect(refused?.body.facts).toMatchObject({ yours: String(version), newest: String(version + 1) });
    expect(theOne(await read(path, url), url)).toMatchObject({ name: done?.body.name, version: version + 1 });
  });

  test(`one is refused with both versions: PUT ${REPORT}`, async () => {
    const path = 'energy/main/config/capacity-factor-config';
    const { version } = (await cloud.call('GET', path, { token: owner })).body;
    const asks = ['ac', 'dc'].map((basis): Ask => ['PUT', path, { value: { basis }, version }]);
    const [done, refused] = await atOnce(cloud, owner, 'energy_configs', ...asks);
    expect(done?.status).toBe(200);
    expect(refused).toMatchObject({ status: 409, body: { error: 'energy.config_changed' } });
  });

  test.each(Object.keys(KEYED))('both values stand: PUT %s', async (url) => {
    const { table, asks, read: path } = KEYED[url] as (typeof KEYED)[string];
    const replies = await atOnce(cloud, owner, table, ...asks(ids));
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const now = JSON.stringify(await read(path, url));
    for (const [, , body] of asks(ids))
      for (const text of JSON.stringify(body).match(/Sun|Moon|Safety|Site|de"|Berlin/g) ?? [])
        expect(now).toContain(text);
  });

  test.each(Object.keys(WHOLES))('what stands is one of both, and both are told: PUT %s', async (url) => {
    const { table, read: path, of } = WHOLES[url] as (typeof WHOLES)[string];
    const wanted = of(ids) as { name: string }[];
    const asks = wanted.map((body): Ask => ['PUT', named(url), body]);
    const replies = await atOnce(cloud, owner, table, ...asks);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const now = theOne(await read(path, url), url) as { name: string };
    expect(now).toMatchObject(wanted.find(({ name }) => name === now.name) as object);
    const log = JSON.stringify(await auditOf(cloud, 'main'));
    for (const { name } of wanted) expect(log).toContain(name);
  });

  test('a demotion and a demanded factor both hold, end the sessions, and stand in the audit log', async () => {
    const token = await cloud.newUser({ main: { role: 'power', permissions: ['read', 'coordinate'] } });
    const { _id } = await cloud.cloud.features.sessions.verify(token);
    const path = `orgs/main/members/${_id}`;
    const asks: Ask[] = [
      ['PUT', path, { role: 'readonly', permissions: ['read'] }],
      ['PUT', path, { mfaRequired: true }],
    ];
    const replies = await atOnce(cloud, owner, 'members', ...asks);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const list = (await cloud.call('GET', 'orgs/main/members', { token: owner })).body;
    const now = list.find((one: { userId: string }) => one.userId === _id);
    expect(now).toMatchObject({ role: 'readonly', permissions: ['read'], mfaRequired: true });
    expect((await cloud.call('GET', 'me', { token })).status).toBe(401);
    const told = (await auditOf(cloud, 'main')).filter(({ entity }) => entity === now.email);
    expect(told.map(({ attribute }) => attribute).toSorted()).toEqual(['mfaRequired', 'permissions', 'role']);
  });

  test('what cannot be written in the audit log is not changed either', async () => {
    const { postgres } = cloud.cloud.features;
    await postgres.exec('alter table audit_entries rename to audit_entries_away');
    try {
      const body = { mfaRequired: false };
      const reply = await cloud.call('PUT', named('/orgs/:wg/members/:member'), { token: owner, body });
      expect(reply.status).toBe(500);
    } finally {
      await postgres.exec('alter table audit_entries_away rename to audit_entries');
    }
    const list = (await cloud.call('GET', 'orgs/main/members', { token: owner })).body;
    expect(list.find(({ _id }: { _id: string }) => _id === ids.member)).toMatchObject({ mfaRequired: true });
  });
});
