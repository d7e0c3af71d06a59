import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { GapCause } from '@albedo/contract/completeness/completeness.schema';
import { deviceMeta } from '@albedo/contract/devices/meta.schema';
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core';
import type { SavedState } from '../completeness/device-ledger.ts';
import { devices } from '../database/devices.tables.ts';
import { users } from '../database/sessions.tables.ts';
import { workgroups } from '../database/workgroups.tables.ts';
import type { Cloud } from '../start.ts';
import type { TestCloud } from './test-cloud.ts';

/** Stands in every column that opens something. */
const SECRET = 'opens something';

type Row = Record<string, unknown>;

/** What rows lead to. */
interface Ids {
  workgroup: string;
  device: string;
  user: string | undefined;
}

const json = (value: unknown) => JSON.stringify(value);

/**
 * Gives a workgroup that has a member a row in every table that holds something of workgroups, a file and an event.
 * Answers ids that stand in these rows, that of the device first. Throws for a table that needs an example of its own.
 */
export async function fill(
  { cloud }: TestCloud,
  workgroup: string,
): Promise<{ ids: string[]; fileKey: string }> {
  const { files, certificates, telemetry } = cloud.features;
  const device = randomUUID();
  const [group, token, role, provider, ticket, file, search, shell, calculation, securityJob, energyImport] =
    Array.from({ length: 11 }, () => randomUUID());
  const outside = randomUUID();
  const user = await memberOf(cloud, workgroup);
  const fileKey = `support/${ticket}/${file}`;
  const now = new Date().toISOString();
  const rows: Record<string, Row> = {
    devices: { id: device, workgroup, name: 'Roof', arch: 'amd64', meta: json(deviceMeta.parse({})) },
    ...rowsOfDevice(device, 'a text', workgroup),
    device_backups: {
      workgroup,
      device_id: device,
      device_name: 'Roof',
      reason: 'asked',
      bytes: 1,
      hash: 'a text',
      files: 1,
      commands: json([]),
      file_key: `device-backups/${file}`,
    },
    photos: {
      workgroup,
      device_id: device,
      id: search,
      table: 'a text',
      source: 'a text',
      file: 'a.png',
      taken_at: now,
      type: 'image/png',
      size: 1,
      width: 1,
      height: 1,
      sha256: 'a text',
      file_key: `photos/${device}/${search}`,
    },
    device_groups: {
      id: group,
      workgroup,
      name: 'North',
      composition: json({ type: 'IN', devices: [device] }),
    },
    access_rules: {
      workgroup,
      resource_type: 'Dashboard',
      resource_id: 'all',
      actions: json(['view']),
      principal_type: 'User',
      principal_id: user,
      effect: 'Allow',
      created_by: 'a@example.org',
    },
    api_tokens: {
      id: token,
      workgroup,
      owner: 'A partner',
      email: 'a@example.org',
      expiry: '7 days',
      can_renew: false,
      permissions: json([]),
      created_by: 'a@example.org',
      created_at: now,
      expires_at: now,
    },
    api_token_warnings: { token_id: token, expires_at: now, days: 1 },
    roles: { id: role, workgroup, name: 'Crew' },
    role_members: { role_id: role, workgroup, user_id: user },
    invites: {
      workgroup,
      email: 'b@example.org',
      role: 'readonly',
      permissions: json([]),
      token_hash: `${SECRET} ${device}`,
      sent_at: now,
      expires_at: now,
    },
    identity_providers: {
      id: provider,
      workgroup,
      kind: 'oidc',
      name: 'Contoso',
      config: json({ kind: 'oidc', issuer: 'https://example.org', clientId: 'x' }),
      secret: SECRET,
      changed_at: now,
    },
    user_identities: { idp_id: provider, user_id: user, linked_at: now },
    sso_requests: {
      id: `${SECRET} ${device}`,
      idp_id: provider,
      browser_hash: SECRET,
      created_at: now,
      expires_at: now,
    },
    sso_failures: { idp_id: provider, at: now, reason: 'It was too old.' },
    sso_assertions: { idp_id: provider, id: SECRET, expires_at: now },
    support_tickets: {
      id: ticket,
      user_id: user,
      account_email: 'a@example.org',
      workgroup,
      name: 'A',
      email: 'a@example.org',
      url: '/',
      subject: 'Dark',
      body: 'Since noon.',
    },
    support_files: { id: file, ticket_id: ticket, name: 'a.log', type: 'text/plain', size: 5, key: fileKey },
    workgroup_requests: { request: json({ company: 'A' }), workgroup },
    workgroup_images: {
      workgroup,
      kind: 'logo',
      type: 'image/png',
      version: '1',
      content: Buffer.from('a logo'),
    },
    formulae: {
      workgroup,
      owner_id: user,
      title: 'Two',
      expression: '1 + 1',
      result_unit: '',
      inputs: json([]),
    },
    entity_dashboards: {
      workgroup,
      type: 'label',
      type_id: 'site',
      name: 'Site',
      board: json({ format: 1, items: [] }),
      updated_by: 'a@example.org',
    },
    lookup_tables: { workgroup, code: 'modes', name: 'Modes', fields: json([]), values: json([]) },
    external_sources: {
      ...{ id: outside, workgroup, device_id: device, name: 'Outside', kind: 'push', is_enabled: true },
      ...{ format: 'json', records_path: '', secret: SECRET, token_hash: SECRET },
    },
    external_source_files: { source_id: outside, name: 'a.csv', bytes: 1, digest: SECRET, read_at: now },
    external_source_runs: {
      ...{ source_id: outside, at: now, took_ms: 1, by: 'push', records: 1, stored: 1, refused: 0 },
      ...{ is_failed: false, files: json([]), faults: json([]) },
    },
    searches: { id: search, workgroup, owner_id: user, name: 'Faults', content: json({ table: 'data' }) },
    shell_sessions: { id: shell, workgroup, device_id: device, user_id: user, by: 'a@example.org' },
    shell_parts: { session_id: shell, number: 1, at_ms: 5, output: 'aGk=' },
    search_schedules: { workgroup, search_id: search, owner_id: user, schedule: json({}) },
    long_actions: {
      id: device,
      workgroup,
      owner_id: device,
      owner_email: 'a@example.org',
      owner_address: '::1',
      kind: 'test',
      about: 'A',
      input: json({}),
      link_hash: `${SECRET} ${device}`,
    },
    energy_configs: { workgroup, name: 'capacity-factor-config', version: 1, value: json({ basis: 'dc' }) },
    meter_readings: { workgroup, code: 'A', at: 1, day: '2026-01-01', granularity: 'day', energy_kwh: 1 },
    energy_budgets: { workgroup, subject: device, month: '2026-01-01', energy_kwh: 1 },
    energy_imports: {
      ...{ id: energyImport, workgroup, name: 'a.csv', readings: 1, by: 'a@example.org' },
      plan: json({ kind: 'meter', granularity: null, times: null, decimal: null, timezone: null }),
    },
    energy_import_rows: { import: energyImport, key: 'A', at: 1, now: 1 },
    report_selections: { workgroup, user_id: user, report: 'energy', search: '?' },
    calculations: {
      id: calculation,
      workgroup,
      name: 'Yield',
      description: '',
      is_active: false,
      writes_to: 'yields',
      interval: '1h',
      target: json({ kind: 'label', label: 'site' }),
      values: json([['one', { kind: 'formula', formula: '1' }]]),
      since: 0,
    },
    calculation_targets: {
      calculation,
      entity: 'roof',
      zone: 'UTC',
      version: 1,
      streams: '',
      facts: json({}),
    },
    calculation_work: { calculation, zone: 'UTC', from_at: 0, to_at: 1, causes: json(['live']), due_at: 0 },
    calculation_changes: { calculation, entity: 'roof', field: 'one', at: 0, cause: 'late', version: 1 },
    security_jobs: { id: securityJob, workgroup, device_id: device, task: 'internal', enabled: true },
    security_scans: { id: search, job_id: securityJob, ended_at: now, scan: json({}) },
    security_findings: {
      job_id: securityJob,
      key: '00:1b:21:3a:4f:10',
      state: 'new',
      description: 'a text',
      addresses: json(['192.168.1.7']),
      known_since: now,
      last_seen_at: now,
    },
    notify_channels: {
      id: group,
      workgroup,
      name: 'Service',
      kind: 'email',
      is_enabled: true,
      emails: json(['a@example.org']),
      phones: json([]),
      secret: SECRET,
    },
    notify_deliveries: {
      id: group,
      workgroup,
      channel: group,
      what: 'test',
      message: json({ what: 'test' }),
      created_at: now,
    },
    // Of everybody, so it stays.
    frontend_errors: {
      id: 'an error',
      message: 'x is not a function',
      place: 'device-table',
      stack: '',
      source: 'window',
      first_at: now,
      last_at: now,
      first_version: '1',
      last_version: '1',
    },
    frontend_error_counts: {
      error: 'an error',
      day: 1,
      workgroup,
      version: '1',
      browser: 'Firefox 140',
      count: 1,
    },
    frontend_error_places: { error: 'an error', workgroup, location: '/devices', count: 1, last_at: now },
    webhooks: {
      id: group,
      workgroup,
      name: 'Tickets',
      is_enabled: true,
      address: SECRET,
      host: 'hooks.example.org',
      secret: SECRET,
      events: json(['device.online']),
      tables: json([]),
      created_by: 'a@example.org',
      created_at: now,
      rows_since: now,
      rows_told: json({}),
    },
    webhook_deliveries: {
      id: group,
      workgroup,
      webhook: group,
      event: 'device.online',
      body: '{}',
      created_at: now,
    },
    workgroup_addons: { workgroup, id: 'schedules', name: 'Schedules' },
    workgroup_settings: { workgroup, key: 'defaultPage', value: json('/devices') },
  };
  const known = new Set([...Object.keys(rows), ...MADE]);
  for (const table of announced(cloud)) {
    const { name } = getTableConfig(table);
    if (!known.has(name)) rows[name] = plainRow(table, { workgroup, device, user }, 'a text');
  }
  await insert(cloud, rows);
  await certificates.issue(device, workgroup);
  await files.put(fileKey, Readable.from(['E 303']));
  await telemetry.asSystem('ingest').insert(
    [
      {
        workgroup,
        device,
        stream: { table: 'meters', source: 's', fields: [{ name: 'power', type: 'decimal' }] },
        rows: [[1, Date.now(), 42]],
      },
    ],
    randomUUID(),
  );
  return { ids: [device, group, token, role, provider, ticket, file] as string[], fileKey };
}

/**
 * Gives a device of the workgroup a row in every announced table whose rows are about devices, with the word as each of
 * their texts.
 */
export async function fillDevice(
  { cloud }: TestCloud,
  workgroup: string,
  device: string,
  word: string,
): Promise<void> {
  const ids = { workgroup, device, user: await memberOf(cloud, workgroup) };
  const rows: Record<string, Row> = {};
  const known = rowsOfDevice(device, word, workgroup);
  for (const table of announced(cloud)) {
    const { name, columns } = getTableConfig(table);
    if (MADE.includes(name) || !columns.some((column) => idIn(column, ids) === device)) continue;
    rows[name] = known[name] ?? plainRow(table, ids, word);
  }
  await insert(cloud, rows);
}

/** Made by whoever made the workgroup, and by the issue of a certificate. */
const MADE = ['workgroups', 'members', 'users', 'device_certificates'];

const SCAN = {
  ...{ _id: randomUUID(), startedAt: 1, endedAt: 2, outcome: 'complete', reason: null, by: null },
  ...{ new: 0, changed: 0, known: 0, gone: 0 },
};

const DAY_OF = (workgroup: string, device: string) => ({ workgroup, device, day: '2026-01-01' });
const COUNTED = { energy_kwh: 1, samples: 1, coverage: 1, marks: json([]), rules: 1, computed_at: 1 };

/** Rows of a device that no plain row would do for, by table. */
function rowsOfDevice(device: string, word: string, workgroup: string): Record<string, Row> {
  const now = new Date().toISOString();
  const state: SavedState = { outbox: null, outboxFirst: null, done: [], status: null, streams: [] };
  return {
    security_jobs: {
      workgroup,
      device_id: device,
      task: 'internal',
      enabled: true,
      last_scan: json({ ...SCAN, target: word }),
    },
    energy_days: {
      ...DAY_OF(workgroup, device),
      table_name: word,
      source: word,
      method: 'totalEnergy',
      ...COUNTED,
    },
    energy_device_days: { ...DAY_OF(workgroup, device), sources: 1, counted: 1, computed_at: 1 },
    energy_work: { ...DAY_OF(workgroup, device), due_at: 1 },
    energy_reviews: {
      ...DAY_OF(workgroup, device),
      ...{ table_name: word, source: word, decision: 'accept', reason: word, by: 'a@example.org' },
    },
    device_facts: { device_id: device, facts: json({}) },
    agent_pack_tokens: { token_hash: `${SECRET} ${device}`, device_id: device, expires_at: now },
    completeness: { device_id: device, state: json(state), saved_at: now },
    completeness_gaps: {
      device_id: device,
      from_id: 1,
      to_id: 2,
      tbl: word,
      source: word,
      cause: 'set_aside' satisfies GapCause,
      reported_at: 1,
    },
    completeness_quarantine: {
      device_id: device,
      received_at: now,
      topic: word,
      reason: word,
      msg_ids: json([1]),
      sample: word,
    },
  };
}

const announced = ({ features }: Cloud): PgTable[] =>
  features.workgroupParts.flatMap(({ tables = [] }) => tables.map(({ table }) => table));

async function memberOf({ features }: Cloud, workgroup: string): Promise<string | undefined> {
  const query = 'select user_id from members where workgroup = $1';
  const [member] = await features.postgres.query<{ user_id: string }>(query, [workgroup]);
  return member?.user_id;
}

async function insert({ features }: Cloud, rows: Record<string, Row>): Promise<void> {
  for (const [table, row] of Object.entries(rows)) {
    const columns = Object.keys(row);
    const places = columns.map((_, at) => `$${at + 1}`);
    await features.postgres.query(
      `insert into "${table}" (${columns.map((one) => `"${one}"`).join(', ')}) values (${places.join(', ')})
       on conflict do nothing`,
      Object.values(row),
    );
  }
}

/** A row of a table that leads to workgroups, devices and users alone: what it asks for, by the types of its columns. */
function plainRow(table: PgTable, ids: Ids, word: string): Row {
  const { name, columns } = getTableConfig(table);
  const row: Row = {};
  for (const column of columns) {
    const id = idIn(column, ids);
    if (id === undefined && (!column.notNull || column.hasDefault)) continue;
    const value = id ?? (refersTo(column) ? undefined : PLAIN[column.getSQLType()]?.(word));
    if (value === undefined)
      throw new Error(`There is no example of a row of ${name}, for its column ${column.name}.`);
    row[column.name] = value;
  }
  return row;
}

/** What stands in a column that leads to a workgroup, a device or a user, by its reference or else by its name. */
function idIn(column: PgColumn, { workgroup, device, user }: Ids): string | undefined {
  const [byReference, byName] = [
    new Map<unknown, string | undefined>([
      [workgroups.name, workgroup],
      [devices.id, device],
      [users.id, user],
    ]),
    new Map([
      ['workgroup', workgroup],
      ['device_id', device],
      ['user_id', user],
    ]),
  ];
  return byReference.get(refersTo(column)) ?? byName.get(column.name);
}

/** The column of another table that this one refers to. */
function refersTo(column: PgColumn): PgColumn | undefined {
  for (const key of getTableConfig(column.table as PgTable).foreignKeys) {
    const { columns, foreignColumns } = key.reference();
    const at = columns.indexOf(column);
    if (at >= 0) return foreignColumns[at];
  }
  return undefined;
}

/** A value of each type that a column may have. */
const PLAIN: Readonly<Record<string, (word: string) => unknown>> = {
  text: (word) => word,
  uuid: () => randomUUID(),
  integer: () => 1,
  bigint: () => 1,
  'double precision': () => 1.5,
  boolean: () => true,
  jsonb: () => '{}',
  'timestamp with time zone': () => new Date().toISOString(),
};
