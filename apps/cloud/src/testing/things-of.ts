import { randomUUID } from 'node:crypto';
import { setpointBounds } from '@albedo/contract/schedules/schedules.schema';
import { expect, vi } from 'vitest';
import { NEW_TOKEN } from './identities.ts';
import type { TestCloud } from './test-cloud.ts';

/** What the address of an endpoint names by an id, by the name of the parameter. */
export const THINGS = [
  'device',
  'member',
  'invite',
  'apiToken',
  'rule',
  'role',
  'devGroup',
  'formula',
  'lookupTable',
  'search',
  'entity',
  'machine',
  'kpi',
  'calculation',
  'deletion',
  'board',
  'widget',
  'externalSource',
  'historyImport',
  'command',
  'bulkAction',
  'display',
  'commissioning',
  'change',
  'alert',
  'suppression',
  'incident',
  'securityJob',
  'channel',
  'escalation',
  'rota',
  'watch',
  'webhook',
  'hold',
  'subscription',
  'energyImport',
  'schedule',
  'deviceSchedule',
] as const;
export type Thing = (typeof THINGS)[number];

export const RULE = {
  resourceType: 'DeviceCommand',
  resourceId: 'all',
  actions: ['run'],
  principalType: 'Workgroup_Users',
  principalId: '-',
  effect: 'Allow',
};

/** Opens the addons that some things need, for the workgroup. */
export async function openAddons({ cloud }: TestCloud, workgroup: string): Promise<void> {
  const { postgres, workgroups } = cloud.features;
  for (const addon of ['machines', 'calculations', 'schedules'])
    await postgres.query('insert into workgroup_addons (workgroup, id, name) values ($1, $2, $2)', [
      workgroup,
      addon,
    ]);
  workgroups.tellChanged(workgroup);
}

/** Makes one thing of each kind in the workgroup of this owner, each with the word as its name, and answers their ids. */
export async function thingsOf(
  cloud: TestCloud,
  workgroup: string,
  owner: string,
  word: string,
): Promise<Record<Thing, string>> {
  const make = async (path: string, body: unknown): Promise<string> => {
    const reply = await cloud.call('POST', path, { token: owner, body });
    expect(reply.status, path).toBe(200);
    return reply.body._id ?? reply.body.id;
  };
  const wg = workgroup;
  const reader = await cloud.newUser({ [wg]: { role: 'readonly', permissions: ['read'] } });
  const member = (await cloud.cloud.features.sessions.verify(reader))._id;
  const device = await make(`devices/${wg}`, { name: word });
  const search = await make(`searches/${wg}`, { name: word, table: 'data' });
  await cloud.call('PUT', `searches/${wg}/${search}/share`, { token: owner });
  const formula = await make(`formulae/${wg}`, { title: word, expression: '1' });
  await cloud.call('PUT', `formulae/${wg}/${formula}/share`, { token: owner });
  const gone = await make(`entities/${wg}`, { name: word });
  const deletion = (await cloud.call('DELETE', `entities/${wg}/${gone}`, { token: owner })).body._id;
  await cloud.call('POST', `entities/${wg}/all`, {
    token: owner,
    body: {
      entities: [
        { _id: `${word}-1`, name: word },
        { _id: `${word}-2`, name: word },
      ],
    },
  });
  const change = (await cloud.call('GET', `changes/${wg}`, { token: owner })).body[0].id;
  const board = await make(`entityDashboards/${wg}`, { type: 'label', typeId: 'site', name: word });
  const alert = await make(`alerts/${wg}`, { name: word, kind: 'query', table: 'data', conditions: [NEVER] });
  const scanned = await cloud.call('POST', `process/${wg}/task/internal/jobs`, {
    token: owner,
    body: { devices: [device], enabled: false },
  });
  const securityJob: string = scanned.body[0]._id;
  await addSetpoint(cloud, wg, device);
  const shared = {
    name: word,
    entries: [{ path: SETPOINT, datetime: '2030-01-01T00:00:00Z', value: '50%' }],
  };
  return {
    device,
    schedule: await make(`schedules/${wg}`, shared),
    deviceSchedule: await make(`schedules/${wg}/device/${device}`, { ...shared, setpoint: SETPOINT }),
    member,
    search,
    securityJob,
    formula,
    deletion,
    command: await make(`devices/${wg}/${device}/commands`, { name: word, command: 'id' }),
    devGroup: await make(`orgs/${wg}/device-groups`, {
      name: word,
      composition: { type: 'NOT IN', devices: [] },
    }),
    role: await make(`roles/${wg}`, { name: word, members: [member] }),
    lookupTable: await make(`lookupTables/${wg}`, { code: word, name: word }),
    entity: await make(`entities/${wg}`, { name: word }),
    machine: await make(`machines/${wg}`, { name: word }),
    kpi: await make(`kpis/${wg}`, { name: word }),
    calculation: await make(`calculationsV2/${wg}`, {
      name: word,
      // So that no job of it changes anything while somebody looks.
      isActive: false,
      target: { kind: 'label', label: 'site' },
      values: { one: { kind: 'formula', formula: '1' } },
    }),
    board,
    commissioning: await make(`commissioning/${wg}`, { device }),
    change,
    alert,
    suppression: await make(`suppressions/${wg}`, {
      name: word,
      reason: word,
      zone: 'UTC',
      startsAt: '2030-01-01T00:00',
      durationMinutes: 60,
    }),
    incident: await openIncident(cloud, wg, { alert, device, word }),
    energyImport: await importOfBudgets(cloud, wg, owner, device),
    widget: await make(`widgetLibrary/${wg}`, { name: word, item: { kind: 'text' } }),
    display: await make(`displays/${wg}`, { name: word, pages: [{ board }] }),
    bulkAction: await endedBulkAction(cloud, wg, owner, { devices: [device], labels: { Site: word } }),
    externalSource: await make(`externalSources/${wg}`, {
      name: `${word} outside`,
      kind: 'push',
      mapping: { table: 'data', source: word, timeColumn: 'time', fields: [{ column: 'v', name: 'v' }] },
    }),
    historyImport: await make(`historyImports/${wg}`, { name: `${word}.csv`, format: 'csv', bytes: 10 }),
    apiToken: await make(`orgs/${wg}/api-tokens`, { ...NEW_TOKEN, owner: word, canRenew: false }),
    channel: await make(`notifications/${wg}/channels`, {
      kind: 'email',
      name: word,
      emails: [`${word}@example.org`],
    }),
    rota: await make(`rotas/${wg}`, {
      name: word,
      zone: 'UTC',
      members: [member],
      startsOn: '2026-03-02',
      handover: '08:30',
    }),
    escalation: await make(`escalations/${wg}`, {
      name: word,
      steps: [{ afterMinutes: 0, users: [member] }],
    }),
    webhook: await make(`webhooks/${wg}`, {
      name: word,
      address: 'https://hooks.example.org/',
      events: ['device.online'],
    }),
    hold: await make(`storage/${wg}/holds`, { table: word, month: null, reason: word }),
    watch: await make(`orgs/${wg}/watches`, { kind: 'device', target: device }),
    // Of a person, and not of the workgroup.
    subscription: randomUUID(),
    rule: await make(`orgs/${wg}/access-control`, { ...RULE, resourceId: word }),
    invite: await make(`orgs/${wg}/members`, { email: `${word}@example.org`, role: 'power' }),
  };
}

const NEVER = { field: 'nothing', operator: '>', value: 1 };

export const SETPOINT = 'operator/setpoint_activepower';

/** A setpoint that the device once said it has. */
export const addSetpoint = ({ cloud }: TestCloud, workgroup: string, device: string) =>
  cloud.features.postgres.query(
    `insert into device_setpoints (workgroup, device_id, path, kind, type, is_enabled, bounds, discovered_at)
     values ($1, $2, $3, 'setpoint_activepower', 'schedule', true, $4, now())`,
    [workgroup, device, SETPOINT, JSON.stringify(setpointBounds.parse({}))],
  );

async function importOfBudgets(
  cloud: TestCloud,
  workgroup: string,
  owner: string,
  device: string,
): Promise<string> {
  const body = new FormData();
  body.append('plan', '{"kind":"budget"}');
  body.append('file', new Blob([`device,month,kwh\n${device},2030-01,5\n`]), 'budgets.csv');
  const reply = await cloud.call('POST', `energy/${workgroup}/imports`, { token: owner, body });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body.id;
}

async function openIncident(
  { cloud }: TestCloud,
  workgroup: string,
  { alert: id, device, word }: { alert: string; device: string; word: string },
): Promise<string> {
  const { alerts, incidents } = cloud.features;
  const row = await alerts.find(workgroup, id);
  if (!row) throw new Error('there is no alert');
  const at = Date.now();
  await incidents.open(workgroup, [
    {
      alert: { ...row.content, id },
      subject: { key: word, device, table: 'data', source: word, name: word },
      at,
      since: at,
      reading: { field: 'nothing', value: 2, units: null, limit: 1 },
    },
  ]);
  return incidents.openOf(workgroup, id, word)?.id ?? '';
}

/** One that is over, so that it changes nothing while somebody looks. */
async function endedBulkAction(
  cloud: TestCloud,
  workgroup: string,
  owner: string,
  body: unknown,
): Promise<string> {
  const begun = await cloud.call('POST', `bulk-actions/${workgroup}/labels`, { token: owner, body });
  expect(begun.status, 'bulk action').toBe(200);
  const id: string = begun.body.action._id;
  const isOver = async () => {
    const { body: now } = await cloud.call('GET', `bulk-actions/${workgroup}/${id}`, { token: owner });
    expect(now.state).toBe('done');
  };
  await vi.waitFor(isOver, { timeout: 20_000, interval: 100 });
  return id;
}
