import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { deviceMeta } from '@albedo/contract/devices/meta.schema';
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import type { TestCloud } from './test-cloud.ts';

/** Stands in every column that opens something. */
const SECRET = 'opens something';

/**
 * Gives a workgroup that has a member a row in every table that holds something of workgroups, a file and an event.
 * Answers ids that stand in these rows, that of the device first. Throws for a table that needs an example of its own.
 */
export async function fill(
  { cloud }: TestCloud,
  workgroup: string,
): Promise<{ ids: string[]; fileKey: string }> {
  const { postgres, files, certificates, telemetry, workgroupParts } = cloud.features;
  const [device, group, token, role, provider, ticket, file] = Array.from({ length: 7 }, () => randomUUID());
  const [member] = await postgres.query<{ user_id: string }>(
    'select user_id from members where workgroup = $1',
    [workgroup],
  );
  const user = member?.user_id;
  const fileKey = `support/${ticket}/${file}`;
  const now = new Date().toISOString();
  const json = (value: unknown) => JSON.stringify(value);
  const rows: Record<string, Record<string, unknown>> = {
    devices: { id: device, workgroup, name: 'Roof', arch: 'amd64', meta: json(deviceMeta.parse({})) },
    device_facts: { device_id: device, facts: json({}) },
    agent_pack_tokens: { token_hash: `${SECRET} ${device}`, device_id: device, expires_at: now },
    completeness: { device_id: device, state: json({}), saved_at: now },
    completeness_gaps: {
      device_id: device,
      from_id: 1,
      to_id: 2,
      tbl: '',
      source: '',
      cause: 'lost',
      reported_at: 1,
    },
    completeness_quarantine: {
      device_id: device,
      received_at: now,
      topic: 't',
      reason: 'r',
      msg_ids: json([1]),
      sample: 's',
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
    lookup_tables: { workgroup, code: 'states', name: 'States', fields: json([]), values: json({}) },
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
    workgroup_addons: { workgroup, id: 'schedules', name: 'Schedules' },
    workgroup_settings: { workgroup, key: 'defaultPage', value: json('/devices') },
  };
  // Made by whoever made the workgroup, and by the issue of a certificate.
  const made = ['workgroups', 'members', 'users', 'device_certificates'];
  const known = new Set([...Object.keys(rows), ...made]);
  for (const { table } of workgroupParts.flatMap(({ tables = [] }) => tables)) {
    const { name } = getTableConfig(table as PgTable);
    if (!known.has(name))
      rows[name] = plainRow(table as PgTable, { workgroup, device_id: device, user_id: user });
  }
  for (const [table, row] of Object.entries(rows)) {
    const columns = Object.keys(row);
    const places = columns.map((_, at) => `$${at + 1}`);
    await postgres.query(
      `insert into "${table}" (${columns.map((one) => `"${one}"`).join(', ')}) values (${places.join(', ')})
       on conflict do nothing`,
      Object.values(row),
    );
  }
  await certificates.issue(device as string, workgroup);
  await files.put(fileKey, Readable.from(['E 303']));
  await telemetry.asSystem('ingest').insert(
    [
      {
        workgroup,
        device: device as string,
        stream: { table: 'meters', source: 's', fields: [{ name: 'power', type: 'decimal' }] },
        rows: [[1, Date.now(), 42]],
      },
    ],
    randomUUID(),
  );
  return { ids: [device, group, token, role, provider, ticket, file] as string[], fileKey };
}

/** A row of a table that no other leads to: what it asks for, by the types of its columns. */
function plainRow(table: PgTable, ids: Record<string, unknown>): Record<string, unknown> {
  const { name, columns } = getTableConfig(table);
  const asked = columns.filter((column) => column.name in ids || (column.notNull && !column.hasDefault));
  return Object.fromEntries(
    asked.map((column) => {
      const value = ids[column.name] ?? PLAIN[column.getSQLType()]?.();
      if (value === undefined) throw new Error(`There is no example of a row of ${name}.`);
      return [column.name, value];
    }),
  );
}

/** A value of each type that a column may have. */
const PLAIN: Readonly<Record<string, () => unknown>> = {
  text: () => 'a text',
  uuid: () => randomUUID(),
  integer: () => 1,
  bigint: () => 1,
  'double precision': () => 1.5,
  boolean: () => true,
  jsonb: () => '{}',
  'timestamp with time zone': () => new Date().toISOString(),
};
