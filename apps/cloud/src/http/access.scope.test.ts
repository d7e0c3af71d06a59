import { randomUUID } from 'node:crypto';
import { PERMISSION_CODES, type Permission } from '@albedo/contract/access/permissions';
import type { Composition } from '@albedo/contract/device-groups/device-groups.schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALL_DEVICES } from '../access/device-scope.ts';
import { BrowserSocket } from '../testing/browser-socket.ts';
import { fillDevice } from '../testing/filled-workgroup.ts';
import { everyEndpoint } from '../testing/identities.ts';
import { buildAgent, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

/**
 * What is outside a device group does not exist for who is bound to it: every endpoint of the contract is asked, and no
 * answer may have a word of it.
 */
const endpoints = await everyEndpoint();
const onDevices = endpoints.filter(({ url }) => url.includes(':device'));
const reads = endpoints.filter(({ method, url }) => method === 'GET' && url.includes(':wg'));

/** Words that stand for what is hidden; each of them is nowhere else. */
const HIDDEN = {
  name: 'hidden-device',
  renamed: 'hidden-renamed',
  table: 'hidden_table',
  field: 'hidden_field',
  source: 'hidden source',
  text: 'hidden text',
  info: 'hidden info',
  infoField: 'hidden info field',
  row: 'hidden row 1',
};
const HIDDEN_SOURCE = 'other inverter';
const AT = Date.now() - 60_000;

let cloud: TestCloud;
let own = '';
let foreign = '';
const compositions: Record<Composition['type'], () => Composition> = {
  IN: () => ({ type: 'IN', devices: [own] }),
  'NOT IN': () => ({ type: 'NOT IN', devices: [foreign] }),
  META: () => ({ type: 'META', field: 'Site', operator: '=', value: 'Hill' }),
  SRC: () => ({ type: 'SRC', devices: [{ device: own, sources: ['inverter'] }] }),
};
const kinds = Object.keys(compositions) as Composition['type'][];
const tokens = new Map<string, string>();
const hiddenOf = (kind: Composition['type']) => [
  foreign,
  ...Object.values(HIDDEN),
  ...(kind === 'SRC' ? [HIDDEN_SOURCE] : []),
];

beforeAll(async () => {
  cloud = await startTestCloud();
  buildAgent(cloud);
  const { devices, audit } = cloud.cloud.features;
  const add = async (name: string, info: Record<string, string>) => {
    const { id } = await devices.create('main', { name, arch: 'arm64', ced: false }, null);
    await devices.setSetting({ workgroup: 'main', id, scope: ALL_DEVICES }, 'info', info, null);
    return id;
  };
  own = await add('own', { Site: 'Hill' });
  foreign = await add(HIDDEN.name, { [HIDDEN.infoField]: HIDDEN.info });
  await devices.rename('main', foreign, HIDDEN.renamed, null);
  await store(own, 'data', 'inverter', { power: 1 });
  await store(own, 'data', HIDDEN_SOURCE, { power: 2 });
  await store(foreign, 'data', HIDDEN.source, { power: 3, [HIDDEN.field]: HIDDEN.text });
  await store(foreign, HIDDEN.table, HIDDEN.source, { [HIDDEN.field]: HIDDEN.text });
  // Whatever any feature keeps of devices.
  await fillDevice(cloud, 'main', foreign, HIDDEN.row);
  await setAside(own, HIDDEN_SOURCE);
  await audit.flush();
  const token = await cloud.owner();
  for (const kind of kinds) {
    const body = { name: `group ${kind}`, composition: compositions[kind]() };
    const { _id } = (await cloud.call('POST', 'orgs/main/device-groups', { token, body })).body;
    tokens.set(kind, await boundTo(_id));
  }
  await audit.flush();
});
afterAll(() => cloud.stop());

/** Somebody who may do everything, to the devices of the group. */
const boundTo = (devGroup: string) =>
  cloud.newUser({
    main: {
      role: 'power',
      permissions: (Object.keys(PERMISSION_CODES) as Permission[]).filter((one) => one !== 'dashboardOnly'),
      devGroup,
    },
  });

async function store(device: string, table: string, source: string, values: Record<string, number | string>) {
  const fields = Object.entries(values).map(([name, value]) => ({
    name,
    type: typeof value === 'number' ? ('decimal' as const) : ('keyword' as const),
  }));
  const rows: [number, number, ...(number | string)[]][] = [[1, AT, ...Object.values(values)]];
  const block = { workgroup: 'main', device, stream: { table, source, fields }, rows };
  await cloud.cloud.features.telemetry.asSystem('ingest').insert([block], randomUUID());
}

/** Keeps a message that could not be stored, as the newest of the device. */
const setAside = (device: string, sample: string) =>
  cloud.cloud.features.postgres.query(
    `insert into completeness_quarantine (device_id, received_at, topic, reason, msg_ids, sample)
     values ($1, now(), 't', 'r', '[1]', $2)`,
    [device, sample],
  );

const pathOf = (url: string, device: string, table: string) =>
  url
    .slice(1)
    .replace(':wg', 'main')
    .replace(':device', device)
    .replace(':table', table)
    .replace(':key', 'info')
    .replace(':task', 'internal')
    .replace(':report', 'energy')
    .replace(':config', 'capacity-factor-config')
    .replace(/:\w+/g, randomUUID());

describe.each(kinds)(`${onDevices.length} endpoints on a device x 4 compositions: %s`, (kind) => {
  test.each(onDevices.map((one) => [`${one.method} ${one.url}`, one] as const))(
    'to %s a device outside the group answers as one that does not exist',
    async (_name, { method, url }) => {
      const token = tokens.get(kind);
      const ask = (device: string) => cloud.call(method, pathOf(url, device, 'data'), { token });
      const [reply, none] = [await ask(foreign), await ask(randomUUID())];
      expect(reply).toMatchObject({ status: 404, body: { error: 'device.not_found' } });
      expect(reply.body).toEqual(none.body);
    },
  );
});

describe.each(kinds)(`${reads.length} endpoints that read x 4 compositions: %s`, (kind) => {
  test.each(reads.map((one) => [one.url] as const))('GET %s tells nothing of what is hidden', async (url) => {
    for (const table of ['data', 'audit_logs', HIDDEN.table]) {
      // A refusal may repeat what it was asked for.
      if (table === HIDDEN.table && url.includes(':table')) continue;
      const reply = await cloud.call('GET', pathOf(url, own, table), { token: tokens.get(kind) });
      // Nor does it fail over a hidden row that its schema would not let out.
      expect(reply.status).not.toBe(500);
      const text = JSON.stringify(reply.body);
      for (const hidden of hiddenOf(kind)) expect(text).not.toContain(hidden);
    }
  });

  test('a search counts, groups and sorts what is visible alone', async () => {
    const count = (groupBy: string[]) => ({ name: groupBy.join(), type: 'count', fields: [], groupBy });
    const max = { name: 'max', type: 'max', fields: ['power'], groupBy: [] };
    const latest = { name: 'latest', type: 'latest', fields: [], groupBy: ['device', 'source'] };
    const aggs = [count(['device']), count(['source']), max, latest];
    const query = aggs.map((agg) => `aggs=${encodeURIComponent(JSON.stringify(agg))}`).join('&');
    const token = tokens.get(kind);
    const { body } = await cloud.call('GET', `tables/main/data/search?${query}`, { token });
    const visible = kind === 'SRC' ? 1 : 2;
    expect(body).toMatchObject({ totalRecords: visible, records: { length: visible } });
    expect(body.aggregations.max.buckets[0].max.value).toBe(visible);
    for (const hidden of hiddenOf(kind)) expect(JSON.stringify(body)).not.toContain(hidden);
  });

  test('a filter, a sort and an aggregation by what is hidden answer as for what does not exist', async () => {
    const token = tokens.get(kind);
    const ask = async (name: string) => {
      const agg = JSON.stringify({ name: 'a', type: 'count', fields: [name], groupBy: [] });
      const filter = JSON.stringify({ field: name, operator: 'EXISTS' });
      const replies = [
        await cloud.call('GET', `tables/main/data/search?filters=${filter}`, { token }),
        await cloud.call('GET', `tables/main/data/search?sort=${name}`, { token }),
        await cloud.call('GET', `tables/main/data/search?fields=${name}`, { token }),
        await cloud.call('GET', `tables/main/data/search?aggs=${agg}`, { token }),
      ];
      return replies.map(({ status, body }) => [status, body.message.replace(name, '')]);
    };
    expect(await ask(HIDDEN.field)).toEqual(await ask('no_such_field'));
  });

  test('a series of a hidden device is as empty as one of no device', async () => {
    const series = [foreign, randomUUID()].map((device) => ({
      device,
      table: 'data',
      source: HIDDEN.source,
      field: 'power',
    }));
    const body = { from: AT - 1000, to: AT + 1000, series };
    const reply = await cloud.call('POST', 'series/main', { token: tokens.get(kind), body });
    expect(reply.body[0]).toEqual(reply.body[1]);
    expect(reply.body[0].times).toEqual([]);
  });
});

/** Changes of a workgroup that are open to members of a device group, each within their group or to what is theirs. */
const OPEN_TO_BOUND = [
  'POST /schedules/:wg/:schedule/devices',
  'PUT /energy/:wg/selections/:report',
  'POST /bulk-actions/:wg/upgrade',
  'POST /bulk-actions/:wg/command',
  'POST /bulk-actions/:wg/config',
  'POST /bulk-actions/:wg/plugins',
  'POST /bulk-actions/:wg/:bulkAction/pause',
  'POST /bulk-actions/:wg/:bulkAction/resume',
  'POST /bulk-actions/:wg/:bulkAction/cancel',
  'POST /orgs/:wg/members',
  'PUT /orgs/:wg/members/:member',
  'DELETE /orgs/:wg/members/:member',
  'POST /orgs/:wg/members/device-group',
  'POST /orgs/:wg/members/remove',
  'POST /orgs/:wg/invites/:invite/resend',
  'DELETE /orgs/:wg/invites/:invite',
  'POST /orgs/:wg/invites/resend',
  'POST /orgs/:wg/invites/remove',
  'POST /orgs/:wg/api-tokens',
  'PUT /orgs/:wg/api-tokens/:apiToken',
  'DELETE /orgs/:wg/api-tokens/:apiToken',
  'POST /orgs/:wg/api-tokens/revoke',
  'POST /orgs/:wg/device-groups/preview',
  'POST /orgs/:wg/watches',
  'DELETE /orgs/:wg/watches/:watch',
  'POST /series/:wg',
  'POST /mcp/:wg',
  'POST /prometheus/:wg/api/v1/query',
  'POST /prometheus/:wg/api/v1/query_range',
  'POST /prometheus/:wg/api/v1/labels',
  'POST /prometheus/:wg/api/v1/series',
  'POST /prometheus/:wg/api/v1/query_exemplars',
  'POST /devices/:wg/device/cachedLatestValues',
  'POST /devices/:wg/device/commands/:command/run',
  'POST /trends/:wg',
  'POST /entities/:wg/:entity/streams',
  'POST /kpis/:wg/:kpi/evaluate',
  'POST /kpis/:wg/:kpi/rows',
  'POST /kpiPreview/:wg',
  'POST /process/:wg/task',
  'POST /process/:wg/task/:task/jobs',
  'PUT /process/:wg/task/:task/jobs/:securityJob',
  'POST /process/:wg/task/:task/jobs/:securityJob/run',
  'PUT /process/:wg/task/:task/jobs/:securityJob/findings',
  'POST /entityDashboards/:wg/answers',
  'POST /searches/:wg',
  'POST /tables/:wg/:table/export',
  'PUT /searches/:wg/:search',
  'DELETE /searches/:wg/:search',
  'PUT /searches/:wg/:search/share',
  'DELETE /searches/:wg/:search/share',
  'PUT /searches/:wg/:search/schedule',
  'DELETE /searches/:wg/:search/schedule',
  'POST /formulae/:wg',
  'PUT /formulae/:wg/:formula',
  'DELETE /formulae/:wg/:formula',
  'PUT /formulae/:wg/:formula/share',
  'DELETE /formulae/:wg/:formula/share',
  'POST /long-actions/:wg/:action/cancel',
  'POST /long-actions/:wg/:action/retry',
  'DELETE /long-actions/:wg/:action',
  'POST /long-actions/:wg/:action/file',
  'PUT /incidents/:wg/:incident/acknowledge',
  'PUT /incidents/:wg/acknowledge',
  'POST /incidents/:wg/:incident/notes',
  'PUT /incidents/:wg/:incident/shelve',
  'DELETE /incidents/:wg/:incident/shelve',
  'POST /diagnostics/:wg/frontendAnalytics',
  'POST /diagnostics/:wg/frontendError',
];
const changes = endpoints.filter(
  ({ method, url, access }) =>
    method !== 'GET' &&
    url.includes(':wg') &&
    !url.includes(':device') &&
    !['staff', 'addonManager'].includes(access.who.kind) &&
    !OPEN_TO_BOUND.includes(`${method} ${url}`),
);

test.each(changes.map((one) => [`${one.method} ${one.url}`, one] as const))(
  'members of a group are refused %s, which concerns the workgroup as a whole',
  async (_name, { method, url, consumes, example }) => {
    const image = new FormData();
    image.append('file', new Blob(['x']), 'x.png');
    const body = consumes ? image : example?.body;
    const path = pathOf(url.replace(':key', 'defaultPage'), own, 'data');
    const reply = await cloud.call(method, path, { token: tokens.get('IN'), body });
    expect(reply.status).toBe(403);
    // Where not even the role fits, that is said first.
    expect(['device_group.bound', 'access.role_missing']).toContain(reply.body.error);
  },
);

test('sockets of all four compositions hear nothing of a device outside while everything happens to it', async () => {
  const sockets = await Promise.all(
    [...tokens.values()].map((token) => new BrowserSocket(cloud, { token, orgName: 'main' }).connected()),
  );
  const heard: string[] = [];
  for (const { socket } of sockets) socket.onAny((...message) => heard.push(JSON.stringify(message)));
  const { devices, health } = cloud.cloud.features;
  const meta = { run: [], tail: [], watch: [], unix_socket: [], dynamic: [], dynamic_tail: [], run_dir: [] };
  const happen = async (id: string, name: string) => {
    health.setPresence(id, true, Date.now());
    await devices.rename('main', id, name, null);
    await devices.setMeta('main', id, { ...meta, timezone: 'UTC' });
    health.setPresence(id, false, Date.now());
  };
  await happen(foreign, HIDDEN.name);
  await happen(own, 'own again');
  for (const name of ['device:changed', 'device:stateChange', 'device:metaChange', 'device:facts']) {
    const times = () => heard.filter((message) => message.includes(name)).length;
    await expect.poll(times, { message: name, timeout: 10_000 }).toBeGreaterThanOrEqual(4);
  }
  for (const socket of sockets) socket.close();
  for (const hidden of [foreign, HIDDEN.name]) expect(heard.join()).not.toContain(hidden);
});
