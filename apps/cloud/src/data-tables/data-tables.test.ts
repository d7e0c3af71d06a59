import {
  dataTable,
  dataTableDetails,
  retentionPreview,
  storageUse,
  tableStorage,
} from '@albedo/contract/data-tables/data-tables.schema';
import { OWN_NUMBERS } from '@albedo/contract/link/link.messages';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { LongActionsStore } from '../long-actions/long-actions.store.ts';
import { block } from '../telemetry/telemetry.test-store.ts';
import { connectAgent } from '../testing/fake-agent.ts';
import { auditOf, OWNER, startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import {
  deleteWhatCameLater,
  deleteWhatIsTooOld,
  finishCleanings,
  forgetEndedDrops,
  tableRemoval,
} from './data-tables.jobs.ts';
import { DataTablesStore } from './data-tables.store.ts';
import { DropsStore } from './drops.store.ts';

const DAY_MS = 86_400_000;
const NOW = Date.now();

let cloud: TestCloud;
let token = '';
let device = '';
beforeAll(async () => {
  cloud = await startTestCloud();
  token = await cloud.owner();
  const { body } = await cloud.call('POST', 'devices/main', { token, body: { name: 'Roof' } });
  device = body.id;
  const at = (days: number) => NOW - days * DAY_MS;
  await insert(
    block('inverter', { power: 'decimal', state: 'keyword' }, [
      [1, at(400), 1, 'off'],
      [2, at(40), 2, 'on'],
      [3, at(1), 3, 'on'],
    ]),
  );
  await insert(block('inverter', { state: 'decimal' }, [[4, at(0), 7]]));
  await insert(block('meter', { energy: 'decimal' }, [[5, at(2), 9]]));
});
afterAll(() => cloud.stop());

const insert = (one: ReturnType<typeof block>) =>
  cloud.cloud.features.telemetry
    .asSystem('ingest')
    .insert([{ ...one, workgroup: 'main', device }], crypto.randomUUID());

/** What the job does at night, at this instant (epoch ms). */
async function night(now: number): Promise<void> {
  const { telemetry, postgres, audit, longActions } = cloud.cloud.features;
  const isOpen = (action: string) => longActions.isOpen(action);
  const drops = new DropsStore(postgres);
  const of = { telemetry, store: new DataTablesStore(postgres), drops, audit, isOpen };
  await forgetEndedDrops(of);
  await finishCleanings(of);
  await deleteWhatIsTooOld(of, now);
  await deleteWhatCameLater(of);
}

const countOf = async (table: string): Promise<number> =>
  (await cloud.call('GET', `tables/main/${table}/search?rows=0`, { token })).body.totalRecords;

test('tables tell how many events they have, since when, of how many devices and how fast they grow', async () => {
  const { body } = await cloud.call('GET', 'dataTables/main', { token });
  const tables = z.array(dataTable).parse(body);
  expect(tables.find(({ table }) => table === 'inverter')).toMatchObject({
    events: 4,
    devices: 1,
    firstAt: NOW - 400 * DAY_MS,
    lastAt: NOW,
    // Two of them are older than that, though all were stored today.
    eventsPerDay: 2 / 30,
    retentionDays: null,
    isSystem: false,
  });
  expect(tables.every(({ bytes }) => bytes > 0)).toBe(true);
});

test('a field that came as a number and as a text shows both', async () => {
  const { body } = await cloud.call('GET', 'dataTables/main/inverter', { token });
  const { fields } = dataTableDetails.parse(body);
  expect(fields.find(({ field }) => field === 'state')?.types.toSorted()).toEqual(['decimal', 'keyword']);
  expect((await cloud.call('GET', 'dataTables/main/nowhere', { token })).status).toBe(404);
});

test('storage adds up: tables, months and devices have the same events', async () => {
  const { body } = await cloud.call('GET', 'storage/main', { token });
  const { events, bytes, tables, devices, months, bytesInAYear } = storageUse.parse(body);
  const total = (parts: { events: number }[]) => parts.reduce((sum, part) => sum + part.events, 0);
  expect(total(tables)).toBe(events);
  expect(devices.map((one) => one.device)).toContain(device);
  expect([total(months), total(devices)]).toEqual([events, events]);
  expect(bytesInAYear).toBeGreaterThan(bytes);
});

test('a field gets a name and units, and loses them again', async () => {
  const words = { table: 'inverter', field: 'power', displayName: 'AC power', units: 'kW' };
  await cloud.call('PUT', 'dataFields/main', { token, body: words });
  expect((await cloud.call('GET', 'dataFields/main', { token })).body).toEqual([words]);
  const none = { ...words, displayName: null, units: null };
  await cloud.call('PUT', 'dataFields/main', { token, body: none });
  expect((await cloud.call('GET', 'dataFields/main', { token })).body).toEqual([]);
});

test('the audit log is no table of those who may not read it, and stays for ever', async () => {
  await auditOf(cloud, 'main');
  const coordinator = await cloud.newUser({ main: { role: 'power', permissions: ['read', 'coordinate'] } });
  const names = async (by: string) =>
    (await cloud.call('GET', 'dataTables/main', { token: by })).body.map(
      ({ table }: { table: string }) => table,
    );
  expect(await names(token)).toContain('audit_logs');
  expect(await names(coordinator)).not.toContain('audit_logs');
  const kept = await cloud.call('PUT', 'dataTables/main/audit_logs/retention', {
    token,
    body: { retentionDays: 1 },
  });
  expect(kept).toMatchObject({ status: 409, body: { error: 'data_table.system' } });
  const theirs = await cloud.call('PUT', 'dataTables/main/meter/retention', {
    token: coordinator,
    body: { retentionDays: 1 },
  });
  expect(theirs).toMatchObject({ status: 403, body: { error: 'data_table.owners_only' } });
});

test('what is older than a table keeps is gone after the night, and nothing else is', async () => {
  const kept = await cloud.call('PUT', 'dataTables/main/inverter/retention', {
    token,
    body: { retentionDays: 100 },
  });
  expect(kept.body).toEqual({ retentionDays: 100 });
  await night(NOW);
  expect(await countOf('inverter')).toBe(3);
  expect(await countOf('meter')).toBe(1);
});

test('the workgroup keeps tables without a retention of their own for so long, and says beforehand what goes', async () => {
  const at = (days: number) => NOW - days * DAY_MS;
  await insert(
    block('weather', { wind: 'decimal' }, [
      [20, at(300), 1],
      [21, at(290), 2],
      [22, at(1), 3],
    ]),
  );
  const ask = (query: string, as = token) =>
    cloud.call('GET', `storage/main/retention?${query}`, { token: as });
  const { body } = await ask('days=100');
  const preview = retentionPreview.parse(body);
  // The inverter has a retention of its own.
  expect(preview).toMatchObject({ events: 2, tables: [{ table: 'weather', events: 2 }] });
  expect(preview.months.reduce((sum, { events }) => sum + events, 0)).toBe(2);
  expect((await ask('days=1&table=inverter')).body.tables).toEqual([{ table: 'inverter', events: 1 }]);

  const coordinator = await cloud.newUser({ main: { role: 'power', permissions: ['read', 'coordinate'] } });
  const retain = (retentionDays: number | null, as = token) =>
    cloud.call('PUT', 'storage/main/retention', { token: as, body: { retentionDays } });
  expect((await retain(1, coordinator)).body.error).toBe('access.role_missing');
  const byHand = await cloud.call('PUT', 'orgs/main/settings/retention', {
    token,
    body: { value: { days: 1 } },
  });
  expect(byHand).toMatchObject({ status: 409, body: { error: 'workgroup.setting_guarded' } });

  expect((await retain(100)).status).toBe(200);
  expect((await cloud.call('GET', 'orgs/main/settings', { token })).body.retention).toEqual({ days: 100 });
  await night(NOW);
  expect([await countOf('weather'), await countOf('inverter')]).toEqual([1, 3]);
  await insert(block('weather', { wind: 'decimal' }, [[23, at(280), 4]]));
  await retain(null);
  await night(NOW);
  expect(await countOf('weather')).toBe(2);
});

test('a table is deleted by its owner who repeats its name; what comes later is stored', async () => {
  const remove = (phrase: string) =>
    cloud.call('DELETE', 'dataTables/main/meter', { token, body: { phrase } });
  expect(await remove('metre')).toMatchObject({ status: 400, body: { error: 'data_table.phrase_wrong' } });
  expect(await remove('meter')).toMatchObject({ status: 200, body: { kind: 'data-table-removal' } });
  await vi.waitFor(
    async () => expect((await cloud.call('GET', 'tables/main', { token })).body).not.toContain('meter'),
    20_000,
  );
  await insert(block('meter', { energy: 'decimal' }, [[6, NOW, 11]]));
  const { body } = await cloud.call('GET', 'tables/main/meter/search', { token });
  expect(body.records).toMatchObject([{ energy: 11 }]);
  const deleted = expect.objectContaining({ controller: 'table', action: 'delete', entity: 'meter' });
  expect(await auditOf(cloud, 'main')).toContainEqual(deleted);
});

test('members of a device group see what their own devices take, and change nothing', async () => {
  const other = await cloud.call('POST', 'devices/main', { token, body: { name: 'Hall' } });
  const group = { name: 'Halls', composition: { type: 'IN', devices: [other.body.id] } };
  const grouped = await cloud.call('POST', 'orgs/main/device-groups', { token, body: group });
  const bound = await cloud.newUser({
    main: { role: 'power', permissions: ['read', 'coordinate'], devGroup: grouped.body._id },
  });
  const { body } = await cloud.call('GET', 'dataTables/main', { token: bound });
  expect(body).toEqual([]);
  expect((await cloud.call('GET', 'dataTables/main/inverter', { token: bound })).status).toBe(404);
  const words = { table: 'inverter', field: 'power', displayName: 'Mine', units: null };
  expect(await cloud.call('PUT', 'dataFields/main', { token: bound, body: words })).toMatchObject({
    status: 403,
    body: { error: 'device_group.bound' },
  });
});

test('a table that holds forecasts has the values of tomorrow at their times, another one those of now; both are told', async () => {
  const agent = await connectAgent(cloud, 'main', 'Weather');
  const at = Date.now();
  const tomorrow = [30, 31, 32].map((hours) => at + hours * 3_600_000);
  const fields = [{ name: 'price', type: 'decimal' as const }];
  const rows = [at, ...tomorrow].map((eventAt, i) => [eventAt, i]);
  const path = 'dataTables/main/prices/forecasts';
  expect((await cloud.call('PUT', path, { token, body: { holdsForecasts: true } })).status).toBe(200);
  await agent.send([
    { table: 'prices', source: 'market', fields, rows },
    { table: 'clock', source: 'market', fields, rows },
  ]);
  await agent.acknowledged();
  const found = async (table: string): Promise<Record<string, string>[]> =>
    (await cloud.call('GET', `tables/main/${table}/search?sort=event_time`, { token })).body.records;
  const timesOf = (records: Record<string, string>[], field = 'event_time') =>
    records.map((one) => Date.parse(one[field] ?? ''));
  expect(timesOf(await found('prices'))).toEqual([at, ...tomorrow]);
  const arrived = await found('clock');
  expect(arrived).toHaveLength(4);
  expect(timesOf(arrived).every((eventAt) => eventAt >= at && eventAt <= Date.now())).toBe(true);
  const own = arrived.flatMap(({ device_time }) => (device_time ? [Number(device_time)] : []));
  expect(own.toSorted()).toEqual(tomorrow);

  const { body } = await cloud.call('GET', `devices/main/${agent.id}/completeness`, { token });
  const ahead = body.streams.map((one: { table: string; ahead: number }) => [one.table, one.ahead]);
  expect(Object.fromEntries(ahead)).toMatchObject({ prices: 0, clock: 3 });
  const { body: tables } = await cloud.call('GET', 'dataTables/main', { token });
  const holds = z
    .array(dataTable)
    .parse(tables)
    .map((one) => [one.table, one.holdsForecasts]);
  expect(Object.fromEntries(holds)).toMatchObject({ prices: true, clock: false });
  const log = (await auditOf(cloud, 'main')).filter(({ attribute }) => attribute === 'forecasts');
  expect(log).toMatchObject([{ entity: 'prices', old_value: 'false', new_value: 'true' }]);
  await agent.leave();
});

test('only who may configure says what holds forecasts, and never of a table of the cloud', async () => {
  const reader = await cloud.newUser({ main: { role: 'readonly', permissions: ['read'] } });
  const body = { holdsForecasts: true };
  const path = (table: string) => `dataTables/main/${table}/forecasts`;
  expect((await cloud.call('PUT', path('meter'), { token: reader, body })).status).toBe(403);
  expect((await cloud.call('PUT', path('audit_logs'), { token, body })).body.error).toBe('data_table.system');
});

describe('storage', () => {
  const MARCH = { from: Date.UTC(2025, 2, 1), to: Date.UTC(2025, 3, 1) };
  const month = '2025-03-01';
  const path = (table: string) => `storage/main/tables/${table}`;
  const of = async (table: string) =>
    tableStorage.parse((await cloud.call('GET', path(table), { token })).body);
  const drop = (table: string, as = token, phrase = `${table} 2025-03`) =>
    cloud.call('DELETE', `${path(table)}/months/${month}`, { token: as, body: { phrase } });
  const hold = (body: object, as = token) => cloud.call('POST', 'storage/main/holds', { token: as, body });
  const dropped = (table: string) =>
    vi.waitFor(
      async () => expect((await of(table)).dropped).toMatchObject([{ month, isDone: true }]),
      20_000,
    );
  const entriesOf = async (entity: string) =>
    (await auditOf(cloud, 'main')).filter((one) => one.entity === entity);
  let number = 1000;
  const fill = (table: string, ...times: number[]) =>
    insert(
      block(
        table,
        { v: 'decimal' },
        times.map((at): [number, number, number] => [number++, at, 1]),
      ),
    );

  test('opens for owners and admins, and an owner alone drops and holds', async () => {
    await fill('roof', MARCH.from, MARCH.to - 1, MARCH.to);
    const permissions = ['read' as const, 'coordinate' as const];
    const power = await cloud.newUser({ main: { role: 'power', permissions } });
    const admin = await cloud.newUser({ main: { role: 'admin', permissions } });
    for (const one of ['storage/main', path('roof'), 'storage/main/holds', 'storage/main/retention?days=9']) {
      expect(await cloud.call('GET', one, { token: power })).toMatchObject({
        status: 403,
        body: { error: 'access.role_missing' },
      });
      expect((await cloud.call('GET', one, { token: admin })).status).toBe(200);
    }
    expect((await drop('roof', admin)).body.error).toBe('data_table.owners_only');
    const placed = await hold({ table: 'roof', month: null, reason: 'A claim' }, admin);
    expect(placed.body.error).toBe('data_table.owners_only');
    expect((await drop('roof', token, 'roof')).body.error).toBe('data_table.phrase_wrong');
  });

  test('a dropped month is gone from every part of the store, its neighbours and newest values stay', async () => {
    await fill('hall', MARCH.from - 1, MARCH.from, MARCH.to - 1);
    const before = await of('hall');
    expect(before.months).toMatchObject([
      { month: '2025-02-01', events: 1 },
      { month, events: 2, firstAt: MARCH.from, lastAt: MARCH.to - 1 },
    ]);
    expect(await drop('hall')).toMatchObject({ status: 200, body: { kind: 'data-table-removal' } });
    await dropped('hall');
    expect(await of('hall')).toMatchObject({ months: [{ events: 1 }], dropped: [{ events: 2 }] });
    const { records } = (await cloud.call('GET', 'tables/main/hall/search', { token })).body;
    expect(records.map(({ event_time }: { event_time: string }) => Date.parse(event_time))).toEqual([
      MARCH.from - 1,
    ]);
    // What was the newest value is one of February again.
    const latest = await cloud.cloud.features.telemetry.asSystem('export', 'main').latest(device);
    expect(latest.find(({ table }) => table === 'hall')?.eventAt).toBe(MARCH.from - 1);
    expect(await entriesOf('hall 2025-03')).toContainEqual(
      expect.objectContaining({
        controller: 'index',
        action: 'delete',
        attribute: 'object',
        old_value: '2 events',
      }),
    );
  });

  test('what comes later of a dropped month goes in the night, and what is imported on purpose stays', async () => {
    await fill('hall', MARCH.from + 5, MARCH.to + 5);
    await insert(block('hall', { v: 'decimal' }, [[Number(OWN_NUMBERS) + 1, MARCH.from + 9, 1]]));
    await night(NOW);
    expect(await of('hall')).toMatchObject({
      months: [
        { month: '2025-02-01' },
        { month, events: 1, firstAt: MARCH.from + 9 },
        { month: '2025-04-01' },
      ],
      dropped: [{ month, cameLater: 1 }],
    });
    expect(await entriesOf('hall 2025-03')).toContainEqual(expect.objectContaining({ attribute: 'late' }));
  });

  test('a drop that was cut off half way is finished by the next try', async () => {
    await fill('shed', MARCH.from, MARCH.from + 1);
    const { telemetry, postgres, audit, longActions } = cloud.cloud.features;
    const store = new DropsStore(postgres);
    const part = { workgroup: 'main', table: 'shed', month };
    const id = crypto.randomUUID();
    const actions = new LongActionsStore(postgres);
    const by = { ownerId: crypto.randomUUID(), ownerEmail: 'ann@example.org', ownerAddress: '::1' };
    const action = { id, workgroup: 'main', kind: 'data-table-removal', about: 'shed', input: part, ...by };
    await actions.transaction((inside) => actions.add(action, inside));
    await store.begin(part, id, 'ann@example.org', new Date());
    expect((await drop('shed')).body.error).toBe('data_table.dropping');
    const refused = await hold({ table: 'shed', month, reason: 'Too late' });
    expect(refused.body.error).toBe('data_table.dropping');
    const run = (of: typeof telemetry) =>
      tableRemoval({ telemetry: of, store, audit, isOpen: (one) => longActions.isOpen(one) }).run({
        ...{ id, by: { userId: 'x', email: 'x', address: 'x' }, progress: () => {} },
        input: { ...part, events: 2 },
        signal: new AbortController().signal,
      });
    const dying = {
      asSystem: () => ({
        deleteMonth: async (...args: [string, string, { from: number; to: number }]) => {
          await telemetry.asSystem('data administration').deleteMonth(...args);
          throw new Error('killed');
        },
      }),
    };
    await expect(run(dying as never)).rejects.toThrow('killed');
    expect(await of('shed').catch(() => null)).toBeNull();
    expect(await run(telemetry)).toEqual({ result: { events: 2 } });
    expect(await store.drops('main', 'shed')).toMatchObject([{ month, events: 2, doneAt: expect.any(Date) }]);
    await actions.remove(id);
  });

  test('the running month is not dropped', async () => {
    await fill('shed', NOW);
    const running = new Date(NOW).toISOString().slice(0, 7);
    const answer = await cloud.call('DELETE', `${path('shed')}/months/${running}-01`, {
      token,
      body: { phrase: `shed ${running}` },
    });
    expect(answer).toMatchObject({ status: 409, body: { error: 'data_table.month_running' } });
  });

  test('a drop that was cancelled or is gone locks nothing, and an earlier one of the same month stays', async () => {
    await fill('barn', MARCH.from, MARCH.to);
    const { postgres } = cloud.cloud.features;
    const store = new DropsStore(postgres);
    const part = { workgroup: 'main', table: 'barn', month };
    await store.begin(part, crypto.randomUUID(), 'ann@example.org', new Date());
    expect((await of('barn')).dropped).toEqual([]);
    const placed = await hold({ table: 'barn', month: '2025-04-01', reason: 'Free' });
    expect(placed.status).toBe(200);
    await night(NOW);
    expect(await entriesOf('barn 2025-03')).toContainEqual(expect.objectContaining({ status: 'failed' }));
    const { status, body } = await drop('barn');
    expect(status).toBe(200);
    // Counted before it begins, for an attempt that follows one that was cut off.
    const sql = 'select input from long_actions where id = $1';
    expect(await postgres.query(sql, [body.id])).toMatchObject([{ input: { events: 1 } }]);
    await dropped('barn');
    await store.begin(part, crypto.randomUUID(), 'ann@example.org', new Date());
    await night(NOW);
    expect(await of('barn')).toMatchObject({ dropped: [{ month, events: 1, isDone: true }] });
    await cloud.call('DELETE', `storage/main/holds/${placed.body._id}`, { token });
  });

  test('a night that was cut off half way is finished by the next one, and no hold comes in between', async () => {
    await fill('mill', MARCH.from - 1, MARCH.from);
    const { telemetry, postgres, audit } = cloud.cloud.features;
    const drops = new DropsStore(postgres);
    const placed = await hold({ table: 'mill', month: '2025-02-01', reason: 'Claim' });
    await cloud.call('PUT', 'dataTables/main/mill/retention', { token, body: { retentionDays: 1 } });
    const dying = {
      asSystem: (task: 'data administration') => ({
        ...{ tables: () => [] },
        deleteEvents: async (workgroup: string, table: string) => {
          if (table !== 'mill') return;
          await telemetry.asSystem(task).deleteMonth(workgroup, table, MARCH);
          throw new Error('killed');
        },
      }),
    };
    const dyingNight = { drops, audit, store: new DataTablesStore(postgres), isOpen: async () => false };
    await expect(deleteWhatIsTooOld({ ...dyingNight, telemetry: dying as never }, NOW)).rejects.toThrow(
      'killed',
    );
    expect(await drops.allCleanings()).toMatchObject([{ table: 'mill', month: '' }]);
    expect((await hold({ table: 'mill', month, reason: 'Late' })).body.error).toBe('data_table.dropping');
    await night(NOW);
    expect(await drops.allCleanings()).toEqual([]);
    expect((await of('mill')).months).toMatchObject([{ month: '2025-02-01', events: 1 }]);
    const free = await hold({ table: 'mill', month, reason: 'Late' });
    expect(free.status).toBe(200);
    for (const { body } of [placed, free])
      await cloud.call('DELETE', `storage/main/holds/${body._id}`, { token });
  });

  test('a legal hold keeps a month and a table from owners and from the retention, says who and why, and is released', async () => {
    await fill('claim', MARCH.from - 1, MARCH.from, MARCH.to);
    const reason = 'Claim of the insurer';
    const placed = await hold({ table: 'claim', month, reason });
    expect(placed.body).toMatchObject({ table: 'claim', month, reason, by: OWNER.email });
    const held = await drop('claim');
    expect(held).toMatchObject({ status: 409, body: { error: 'data_table.held' } });
    expect(held.body.message).toBe(
      `${OWNER.email} placed a legal hold on claim 2025-03: ${reason}. Release it first.`,
    );
    const whole = await cloud.call('DELETE', 'dataTables/main/claim', { token, body: { phrase: 'claim' } });
    expect(whole.body.error).toBe('data_table.held');
    await cloud.call('PUT', 'dataTables/main/claim/retention', { token, body: { retentionDays: 1 } });
    await night(NOW);
    expect((await of('claim')).months).toMatchObject([{ month, events: 1 }]);
    const kept = {
      attribute: 'retention',
      status: 'failed',
      new_value: `Legal hold of ${OWNER.email}: ${reason}`,
    };
    expect(await entriesOf('claim 2025-03')).toContainEqual(expect.objectContaining(kept));
    const gone = await cloud.call('DELETE', `storage/main/holds/${placed.body._id}`, { token });
    expect(gone.status).toBe(200);
    expect((await cloud.call('GET', 'storage/main/holds', { token })).body).toEqual([]);
    await night(NOW);
    expect(await countOf('claim').catch(() => 0)).toBeFalsy();
    const holds = (await entriesOf('claim 2025-03')).filter(({ controller }) => controller === 'legal-hold');
    expect(holds.map(({ action }) => action)).toEqual(['create', 'delete']);
  });
});
