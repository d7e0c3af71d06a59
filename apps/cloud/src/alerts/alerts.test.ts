import { randomUUID } from 'node:crypto';
import type { Incident, IncidentDetail } from '@albedo/contract/incidents/incidents.schema';
import { incident, incidentDetail } from '@albedo/contract/incidents/incidents.schema';
import type { BatchStream } from '@albedo/contract/link/link.messages';
import { searchQuery } from '@albedo/contract/telemetry/search.schema';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { TelemetryReader } from '../telemetry/telemetry.reader.ts';
import { BrowserSocket } from '../testing/browser-socket.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

let cloud: TestCloud;
let token = '';
let device = '';
const made: string[] = [];

beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
  device = (await call('POST', 'devices/main', { name: 'Hill' })).body.id;
});
afterAll(() => cloud.stop());
beforeEach(async () => {
  for (const id of made.splice(0)) await call('DELETE', `alerts/main/${id}`);
});

const call = (method: string, path: string, body?: unknown, by = token) =>
  cloud.call(method, path, { token: by, body });
const active = async (by = token): Promise<Incident[]> =>
  ((await call('GET', 'incidents/main', undefined, by)).body as unknown[]).map((one) => incident.parse(one));
const detail = async (id: string): Promise<IncidentDetail> =>
  incidentDetail.parse((await call('GET', `incidents/main/${id}`)).body);

const RULE = {
  name: 'Too little',
  kind: 'query',
  severity: 'high',
  table: 'inverter',
  conditions: [{ field: 'AC Power', operator: '<', value: 10 }],
  response: 'Look at the breaker.',
};
async function rule(of: object = {}): Promise<string> {
  const { status, body } = await call('POST', 'alerts/main', {
    ...RULE,
    name: `Rule ${made.length} ${randomUUID()}`,
    ...of,
  });
  expect([status, body.message]).toEqual([200, undefined]);
  made.push(body._id);
  return body._id;
}

/** Rows of one source as they arrive, `[minutes ago, value]`. */
async function arrive(
  rows: [minutesAgo: number, value: number | string][],
  { source = 'inv-1', table = 'inverter', field = 'AC Power', of = device } = {},
) {
  const { alertEngine } = cloud.cloud.features;
  const now = Date.now();
  const stream: BatchStream = {
    table,
    source,
    fields: [{ name: field, type: typeof rows[0]?.[1] === 'string' ? 'keyword' : 'decimal', units: 'W' }],
    rows: rows.map(([ago, value], i) => [i + 1, now - ago * MINUTE, value]),
  };
  alertEngine.arrived({ workgroup: 'main', device: of, streams: [stream] });
  await alertEngine.settled();
}
const round = (inMinutes = 0) => cloud.cloud.features.alertEngine.round(Date.now() + inMinutes * MINUTE);
const of = (all: Incident[], alert: string) => all.filter((one) => one.alert === alert);

test('a rule that is broken by what arrives makes one incident, which people acknowledge and which closes', async () => {
  const id = await rule({ forMinutes: 5 });
  await arrive([
    [12, 500],
    [10, 5],
    [7, 4],
    [6, 3],
  ]);
  expect(of(await active(), id)).toEqual([]);
  await arrive([[4, 2]]);
  const [one] = of(await active(), id);
  expect(one).toMatchObject({
    state: 'unacknowledged',
    condition: 'active',
    subject: 'inv-1',
    deviceName: 'Hill',
    severity: { id: 'high', rank: 0 },
    acknowledged: [],
  });
  expect(one?.reading).toEqual({ field: 'AC Power', value: 3, units: 'W', limit: 10 });
  // Once more is the same incident.
  await arrive([[3, 1]]);
  expect(of(await active(), id)).toHaveLength(1);
  const { status, body } = await call('PUT', `incidents/main/${one?._id}/acknowledge`);
  expect([status, body.state, body.acknowledged]).toEqual([200, 'acknowledged', [expect.any(String)]]);
  expect((await call('PUT', `incidents/main/${one?._id}/acknowledge`)).body.acknowledged).toHaveLength(1);
  await arrive([[0, 400]]);
  expect(of(await active(), id)[0]).toMatchObject({ condition: 'clear', state: 'acknowledged' });
  await round(6);
  expect(of(await active(), id)).toEqual([]);
  const timeline = (await detail(one?._id ?? '')).timeline.map(({ action }) => action);
  expect(timeline).toEqual(['opened', 'acknowledged', 'returned', 'closed']);
});

test('browsers that see the device hear of every step of an incident, and no others', async () => {
  const nothing = { name: 'Nothing', composition: { type: 'IN', devices: [] } };
  const { _id: devGroup } = (await call('POST', 'orgs/main/device-groups', nothing)).body;
  const bound = await cloud.newUser({ main: { role: 'power', permissions: ['read'], devGroup } });
  const heard: [string, Incident][] = [];
  const sockets = await Promise.all(
    [token, bound].map((one) => new BrowserSocket(cloud, { token: one, orgName: 'main' }).connected()),
  );
  for (const [who, browser] of [
    ['owner', sockets[0]],
    ['bound', sockets[1]],
  ] as const)
    browser?.socket.on('incident', (told: unknown) => heard.push([who, incident.parse(told)]));
  const id = await rule();
  await arrive([[1, 5]], { source: 'inv-told' });
  const steps = () => heard.flatMap(([who, { alert, state }]) => (alert === id ? [`${who} ${state}`] : []));
  await vi.waitFor(() => expect(steps()).toEqual(['owner unacknowledged']), { timeout: 10_000 });
  const [one] = of(await active(), id);
  await call('PUT', `incidents/main/${one?._id}/acknowledge`);
  await vi.waitFor(() => expect(steps()).toContain('owner acknowledged'), { timeout: 10_000 });
  expect(steps().filter((step) => step.startsWith('bound'))).toEqual([]);
  for (const socket of sockets) socket.close();
});

test('every transition is a row of incidents_log, and the history tells the same', async () => {
  const id = await rule();
  await arrive([[1, 5]], { source: 'inv-log' });
  const [one] = of(await active(), id);
  await arrive([[0, 50]], { source: 'inv-log' });
  await round(6);
  const { telemetry } = cloud.cloud.features;
  const query = searchQuery.parse({ filters: [{ field: 'incident', operator: '=', value: one?._id }] });
  const rows = await vi.waitFor(async () => {
    const { records } = await telemetry.asSystem('export', 'main').search('incidents_log', query);
    expect(records).toHaveLength(3);
    return records;
  }, 20_000);
  expect(rows.map(({ action, state, source }) => [action, state, source])).toEqual([
    ['opened', 'unacknowledged', 'inv-log'],
    ['returned', 'returned', 'inv-log'],
    ['closed', 'closed', 'inv-log'],
  ]);
  const span = `from=${Date.now() - DAY}&to=${Date.now() + DAY}`;
  const { body } = await call('GET', `incidents/main/history?${span}&alert=${id}`);
  expect(body.map((row: Incident) => [row._id, row.state, row.closeReason])).toEqual([
    [one?._id, 'closed', 'cleared'],
  ]);
});

test('what comes and goes is one incident with a count; what came late is recorded and alarms nobody', async () => {
  const id = await rule();
  await arrive(
    [
      [5, 1],
      [4, 100],
      [3, 1],
      [2, 100],
      [1, 1],
    ],
    { source: 'flap' },
  );
  expect(of(await active(), id).map(({ count, condition }) => [count, condition])).toEqual([[3, 'active']]);
  await arrive([[60, 1]], { source: 'late' });
  expect(of(await active(), id)).toHaveLength(1);
});

test('a series that vanishes is unknown, and tells nobody that it is over or that it fires again', async () => {
  const id = await rule();
  await arrive([[2, 1]], { source: 'gone' });
  await round(60);
  expect(of(await active(), id)[0]).toMatchObject({ condition: 'unknown', state: 'unacknowledged' });
  await arrive([[0, 1]], { source: 'gone' });
  const [one] = of(await active(), id);
  expect((await detail(one?._id ?? '')).timeline.map(({ action }) => action)).toEqual([
    'opened',
    'unknown',
    'known',
  ]);
});

test('text of a rule that changes leaves its incidents alone; a rule that goes closes them', async () => {
  const id = await rule({ name: 'Edited' });
  await arrive([[2, 1]], { source: 'edited' });
  const [before] = of(await active(), id);
  await call('PUT', `alerts/main/${id}`, { ...RULE, name: 'Edited', response: 'Another text.' });
  await arrive([[1, 2]], { source: 'edited' });
  const [after] = of(await active(), id);
  expect(after?._id).toBe(before?._id);
  expect((await detail(after?._id ?? '')).timeline).toHaveLength(1);
  expect((await detail(after?._id ?? '')).response).toBe('Another text.');
  await call('PUT', `alerts/main/${id}`, { ...RULE, name: 'Edited', enabled: false });
  expect(of(await active(), id)).toEqual([]);
  expect((await detail(after?._id ?? '')).closeReason).toBe('ruleDisabled');
  expect((await call('DELETE', `alerts/main/${id}`)).status).toBe(200);
  expect((await call('DELETE', `alerts/main/${id}`)).status).toBe(200);
});

test('an alert has versions, to which it goes back, and stands in the YAML of its workgroup', async () => {
  const id = await rule({ name: 'Versioned', forMinutes: 1 });
  await call('PUT', `alerts/main/${id}`, { ...RULE, name: 'Versioned', forMinutes: 9 });
  const { body: versions } = await call('GET', `history/main/alert/${id}`);
  expect(versions.map(({ version }: { version: number }) => version)).toEqual([2, 1]);
  expect((await call('POST', `history/main/alert/${id}/1/restore`)).status).toBe(200);
  const now = async () =>
    ((await call('GET', 'alerts/main')).body as { _id: string; forMinutes: number }[]).find(
      ({ _id }) => _id === id,
    );
  expect((await now())?.forMinutes).toBe(1);
  expect((await call('PUT', `alerts/main/${id}?version=1`, { ...RULE, name: 'Versioned' })).status).toBe(409);
  const yaml = (await cloud.call('GET', 'code/main?kinds=alerts', { token })).bytes.toString();
  expect(yaml).toContain('name: Versioned');
  expect(yaml).toContain('name: Device offline');
});

test('a shelf needs a reason and an end; what still holds then is told, and stays silent until then', async () => {
  const id = await rule();
  await arrive([[2, 1]], { source: 'shelf' });
  const [one] = of(await active(), id);
  const path = `incidents/main/${one?._id}/shelve`;
  expect((await call('PUT', path, { until: Date.now() + DAY })).status).toBe(400);
  expect(
    (await call('PUT', path, { reason: 'Spare part', until: Date.now() + 8 * DAY })).body.issues[0].path,
  ).toBe('until');
  expect(
    (await call('PUT', path, { reason: 'Spare part', until: Date.now() + 10 * MINUTE })).body.state,
  ).toBe('shelved');
  // It returns and comes again on the shelf: not a word.
  await arrive(
    [
      [1, 100],
      [0, 1],
    ],
    { source: 'shelf' },
  );
  expect(of(await active(), id)[0]).toMatchObject({ state: 'shelved', count: 2 });
  await round(11);
  const timeline = (await detail(one?._id ?? '')).timeline.map(({ action }) => action);
  expect(timeline.filter((action) => action === 'unshelved')).toHaveLength(1);
  expect(of(await active(), id)[0]?.state).toBe('unacknowledged');
});

test('a device that is away is the cause of what else is wrong with it; that is told once it outlives its cause', async () => {
  const { health, alertEngine } = cloud.cloud.features;
  const away = (await call('POST', 'devices/main', { name: 'Away' })).body.id as string;
  const offline = await rule({
    ...RULE,
    name: 'Gone',
    kind: 'offline',
    table: null,
    conditions: [],
    forMinutes: 1,
    scope: { kind: 'devices', devices: [away] },
  });
  const low = await rule({ scope: { kind: 'devices', devices: [away] } });
  await arrive([[3, 1]], { of: away });
  health.setPresence(away, true, Date.now() - 10 * MINUTE);
  health.setPresence(away, false, Date.now() + 1);
  await round(3);
  expect(of(await active(), offline)).toHaveLength(1);
  const [cause] = of(await active(), offline);
  expect(cause).toMatchObject({ subject: 'Away', consequences: 1, kind: 'offline' });
  expect(of(await active(), low)[0]).toMatchObject({ state: 'suppressed', causedBy: cause?._id });
  health.setPresence(away, true, Date.now() + 4 * MINUTE);
  await alertEngine.round(Date.now() + 4 * MINUTE);
  expect(of(await active(), offline)[0]?.condition).toBe('clear');
  expect(of(await active(), low)[0]?.state).toBe('suppressed');
  await alertEngine.round(Date.now() + 7 * MINUTE);
  expect(of(await active(), low)[0]).toMatchObject({ state: 'unacknowledged', causedBy: null });
});

test('a planned time keeps alerts silent, and what still holds when it ends is told', async () => {
  const id = await rule();
  const startsAt = new Date(Date.now() - 5 * MINUTE).toISOString().slice(0, 16);
  const plan = { name: 'Works', reason: 'Mowing', zone: 'UTC', startsAt, durationMinutes: 60 };
  const { body: suppression } = await call('POST', 'suppressions/main', plan);
  expect(suppression.isActive).toBe(true);
  await arrive([[1, 1]], { source: 'plan' });
  expect(of(await active(), id)[0]?.state).toBe('suppressed');
  expect((await call('DELETE', `suppressions/main/${suppression._id}`)).status).toBe(200);
  await round();
  expect(of(await active(), id)[0]?.state).toBe('unacknowledged');
  expect(
    (await call('POST', 'suppressions/main', { ...plan, zone: 'Mars/Phobos' })).body.issues[0].path,
  ).toBe('zone');
  expect((await call('POST', 'suppressions/main', { ...plan, rrule: 'every day' })).body.issues[0].path).toBe(
    'rrule',
  );
});

test('an alert that cannot be evaluated keeps what is open, and is an incident of its own', async () => {
  const id = await rule({
    conditions: [],
    aggregate: { function: 'average', field: 'Nothing', overMinutes: 15, operator: '<', value: 1 },
    table: 'never',
  });
  await round();
  await round(1);
  expect(of(await active(), id)).toEqual([]);
  await round(2);
  const [own] = of(await active(), id);
  expect(own).toMatchObject({ condition: 'failed', device: null });
  await round(3);
  expect(of(await active(), id)).toHaveLength(1);
});

test('what fires stays open while its alert cannot be evaluated: one incident of its own, and no end', async () => {
  const { telemetry } = cloud.cloud.features;
  const source = `mean-${randomUUID()}`;
  const stream = { table: 'means', source, fields: [{ name: 'AC Power', type: 'decimal' as const }] };
  const rows = [5, 4, 3, 2, 1].map((ago, i): [number, number, number] => [
    i + 1,
    Date.now() - ago * MINUTE,
    1,
  ]);
  await telemetry.asSystem('ingest').insert([{ workgroup: 'main', device, stream, rows }], randomUUID());
  const id = await rule({
    table: 'means',
    conditions: [],
    aggregate: { function: 'average', field: 'AC Power', overMinutes: 15, operator: '<', value: 10 },
  });
  await round();
  expect(of(await active(), id).map(({ condition }) => condition)).toEqual(['active']);
  const search = vi.spyOn(TelemetryReader.prototype, 'search').mockRejectedValue(new Error('broken'));
  for (const minute of [1, 2, 3, 4]) await round(minute);
  search.mockRestore();
  expect(of(await active(), id).map(({ condition, source: of }) => [condition, of])).toEqual(
    expect.arrayContaining([
      ['failed', source],
      ['failed', null],
    ]),
  );
  expect(of(await active(), id)).toHaveLength(2);
  await round(5);
  const [fired] = of(await active(), id).filter((one) => one.source === source);
  expect((await detail(fired?._id ?? '')).timeline.map(({ action }) => action)).toEqual([
    'opened',
    'failed',
    'known',
  ]);
});

test('a new host that a scan finds stays until somebody acknowledges it; a first scan says nothing', async () => {
  const { alertEngine } = cloud.cloud.features;
  const found = {
    workgroup: 'main',
    device,
    kind: 'internal' as const,
    job: randomUUID(),
    scan: randomUUID(),
    at: Date.now(),
    findings: [{ key: '00:1b:21:3a:4f:10', description: 'Camera', addresses: ['192.168.1.7'] }],
  };
  await alertEngine.network({ ...found, isFirst: true });
  expect((await active()).filter(({ kind }) => kind === 'network')).toEqual([]);
  await alertEngine.network({ ...found, isFirst: false });
  const [one] = (await active()).filter(({ kind }) => kind === 'network');
  expect(one).toMatchObject({ subject: 'Camera 192.168.1.7', state: 'unacknowledged' });
  await call('PUT', `incidents/main/${one?._id}/acknowledge`);
  await round();
  await round(6);
  expect((await active()).filter(({ kind }) => kind === 'network')).toEqual([]);
});

test('what an inverter gives less than its peers adds up, at the price of the plant', async () => {
  const { telemetry } = cloud.cloud.features;
  const plant = (await call('POST', 'devices/main', { name: 'Plant' })).body.id as string;
  const info = { 'Rated power': '30 kW', 'Energy price': '0.10 EUR' };
  await call('PUT', `devices/main/${plant}/settings/info`, { value: info });
  const at = Date.now() - MINUTE;
  const blocks = [10_000, 10_000, 0].map((watts, i) => ({
    workgroup: 'main',
    device: plant,
    stream: {
      table: 'solar',
      source: `inv-${i + 1}`,
      fields: [{ name: 'AC Power', type: 'decimal' as const, units: 'W' }],
    },
    rows: [[i + 1, at, watts]] as [number, number, number][],
  }));
  await telemetry.asSystem('ingest').insert(blocks, randomUUID());
  const id = await rule({ table: 'solar', scope: { kind: 'devices', devices: [plant] } });
  await arrive([[6, 0]], { of: plant, source: 'inv-3', table: 'solar' });
  await round();
  const [one] = of(await active(), id);
  // 10 kW for the six minutes since it began.
  expect(one?.energy).toMatchObject({ basis: 'peers', powerW: 10_000 });
  expect(one?.energy?.energyWh).toBeGreaterThan(900);
  expect(one?.energy?.money?.currency).toBe('EUR');
  expect(one?.energy?.money?.value).toBeCloseTo(((one?.energy?.energyWh ?? 0) / 1000) * 0.1, 6);
});

test('members of a device group see only incidents of their devices, and may not make alerts', async () => {
  const other = (await call('POST', 'devices/main', { name: 'Other' })).body.id as string;
  const group = await call('POST', 'orgs/main/device-groups', {
    name: 'One',
    composition: { type: 'IN', devices: [other] },
  });
  const bound = await cloud.newUser({
    main: { role: 'admin', permissions: ['read', 'coordinate', 'controlDevices'], devGroup: group.body._id },
  });
  const reader = await cloud.newUser({ main: { role: 'readonly', permissions: ['read'] } });
  const id = await rule();
  await arrive([[1, 1]], { source: 'seen', of: other });
  await arrive([[1, 1]], { source: 'hidden' });
  const [hidden] = of(await active(), id).filter(({ source }) => source === 'hidden');
  expect(of(await active(bound), id).map(({ source }) => source)).toEqual(['seen']);
  expect((await call('GET', `incidents/main/${hidden?._id}`, undefined, bound)).body.message).toBe(
    'Incident not found',
  );
  expect((await call('PUT', `incidents/main/${hidden?._id}/acknowledge`, undefined, bound)).status).toBe(404);
  expect((await call('POST', 'alerts/main', RULE, bound)).status).toBe(403);
  expect((await call('PUT', `incidents/main/${hidden?._id}/acknowledge`, undefined, reader)).status).toBe(
    403,
  );
  expect((await call('GET', 'alerts/main', undefined, reader)).status).toBe(200);
});

test('what cannot be is refused with the part at fault', async () => {
  const wrong = async (of: object) =>
    (await call('POST', 'alerts/main', { ...RULE, ...of })).body.issues?.[0]?.path;
  expect(await wrong({ name: '' })).toBe('name');
  expect(await wrong({ table: null })).toBe('table');
  expect(await wrong({ severity: 'purple' })).toBe('severity');
  expect(await wrong({ category: 'Nowhere' })).toBe('category');
  expect(
    await wrong({ window: { kind: 'weekly', zone: 'Mars/Phobos', days: [1], from: '08:00', to: '18:00' } }),
  ).toBe('window.zone');
  expect(await wrong({ scope: { kind: 'devices', devices: [randomUUID()] } })).toBe('scope.devices.0');
  expect(await wrong({ notify: { users: [randomUUID()] } })).toBe('notify.users.0');
  expect(await wrong({ table: 'audit_logs' })).toBe('table');
  expect(await wrong({ typo: 1 })).toBeDefined();
  expect(
    await wrong({
      conditions: [
        { field: 'a', operator: '>', value: 5 },
        { field: 'a', operator: '<', value: 3 },
      ],
    }),
  ).toBe('conditions');
  expect((await call('PUT', `incidents/main/${randomUUID()}/acknowledge`)).body.message).toBe(
    'Incident not found',
  );
});

test('a test on history fires at the instants at which it would have fired', async () => {
  const { telemetry } = cloud.cloud.features;
  const from = Math.floor((Date.now() - 2 * DAY) / DAY) * DAY;
  const rows = Array.from({ length: 600 }, (_, i) => {
    const isLow = (i >= 100 && i < 110) || (i >= 200 && i < 203) || i >= 590;
    return [i + 1, from + i * MINUTE, isLow ? 1 : 100] as [number, number, number];
  });
  const stream = { table: 'past', source: 'inv-1', fields: [{ name: 'AC Power', type: 'decimal' as const }] };
  await telemetry.asSystem('ingest').insert([{ workgroup: 'main', device, stream, rows }], randomUUID());
  const { status, body } = await call('POST', 'alerts/main/test', {
    alert: { ...RULE, table: 'past', forMinutes: 5 },
    from,
    to: from + 600 * MINUTE,
  });
  expect(status).toBe(200);
  expect(body.rows).toBe(600);
  expect(
    body.result.firings.map(({ from: at, to }: { from: number; to: number | null }) => [
      (at - from) / MINUTE,
      to === null ? null : (to - from) / MINUTE,
    ]),
  ).toEqual([
    [105, 110],
    [595, null],
  ]);
  expect(body.result).toMatchObject({ total: 2, mostIn10Minutes: 1 });
});
