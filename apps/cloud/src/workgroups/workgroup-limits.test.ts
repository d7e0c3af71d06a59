import { WORKGROUP_LIMITS } from '@albedo/contract/workgroups/limits';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NEW_TOKEN } from '../testing/identities.ts';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());

const RULE = {
  resourceType: 'DeviceCommand',
  actions: ['run'],
  principalType: 'Workgroup_Users',
  principalId: '-',
  effect: 'Allow',
};
const EVERY_DEVICE = { type: 'NOT IN', devices: [] };

const BOARD = '5f0c8a8e-4b7f-4f7e-9f0b-0e9d6a6d1c11';

/** Of each kind: how one is made over the API, and as many as are asked for beside it. */
const kinds = {
  invites: {
    path: 'orgs/full/members',
    body: (i: number) => ({ email: `${i}@example.org` }),
    fill: `insert into invites (workgroup, email, role, permissions, token_hash, sent_at, expires_at)
      select 'full', n || '@example.net', 'readonly', '[]', 'hash ' || n, now(), now() from generate_series(1, $1) n`,
    text: 'A workgroup can have up to 500 open invites. Delete some that were never answered.',
  },
  apiTokens: {
    path: 'orgs/full/api-tokens',
    body: () => NEW_TOKEN,
    fill: `insert into api_tokens (workgroup, owner, email, expiry, can_renew, permissions, created_by, created_at, expires_at)
      select 'full', 'A', 'a@example.net', '7 days', false, '[]', 'a', now(), now() + interval '1 d'
      from generate_series(1, $1) n`,
    text: 'A workgroup can have up to 500 API tokens. Revoke one that is no longer used.',
  },
  roles: {
    path: 'roles/full',
    body: (i: number) => ({ name: `Role ${i}` }),
    fill: `insert into roles (workgroup, name) select 'full', n::text from generate_series(1, $1) n`,
    text: 'A workgroup can have up to 200 roles. Delete one first.',
  },
  accessRules: {
    path: 'orgs/full/access-control',
    body: (i: number) => ({ ...RULE, resourceId: `new-${i}` }),
    fill: `insert into access_rules
      (workgroup, resource_type, resource_id, actions, principal_type, principal_id, effect, created_by, created_at)
      select 'full', 'DeviceCommand', n::text, '["run"]', 'Workgroup_Users', '-', 'Allow', 'a', now()
      from generate_series(1, $1) n`,
    text: 'A workgroup can have up to 1000 access-control rules. Delete one first.',
  },
  deviceGroups: {
    path: 'orgs/full/device-groups',
    body: (i: number) => ({ name: `Group ${i}`, composition: EVERY_DEVICE }),
    fill: `insert into device_groups (workgroup, name, composition)
      select 'full', n::text, '{"type": "NOT IN", "devices": []}' from generate_series(1, $1) n`,
    text: 'A workgroup can have up to 500 device groups. Delete one first.',
  },
  entities: {
    path: 'entities/full',
    body: (i: number) => ({ name: `Entity ${i}` }),
    fill: `insert into entities (workgroup, id, name, labels, meta, signals, settings)
      select 'full', n::text, n::text, '[]', '{}', '{"sources":[],"fields":[],"calculationFields":[],"fieldConfig":[]}', '{}'
      from generate_series(1, $1) n`,
    text: 'A workgroup can have up to 20000 entities. Delete some first.',
  },
  boards: {
    path: 'entityDashboards/full',
    body: (i: number) => ({ type: 'label', typeId: 'site', name: `Board ${i}` }),
    fill: `insert into entity_dashboards (workgroup, type, type_id, name, board, updated_by)
      select 'full', 'label', 'site', n::text, '{"format": 1, "items": []}', 'a' from generate_series(1, $1) n`,
    text: 'A workgroup can have up to 1000 dashboards. Delete one first.',
  },
  libraryWidgets: {
    path: 'widgetLibrary/full',
    body: (i: number) => ({ name: `Widget ${i}`, item: { kind: 'text' } }),
    fill: `insert into library_widgets (workgroup, name, item, updated_by)
      select 'full', n::text, '{"kind": "text"}', 'a' from generate_series(1, $1) n`,
    text: 'The library of a workgroup can have up to 500 widgets. Delete one first.',
  },
  externalSources: {
    path: 'externalSources/full',
    body: (i: number) => ({
      name: `Source ${i}`,
      kind: 'push',
      mapping: { table: 't', source: 's', timeColumn: 'time', fields: [{ column: 'v', name: 'v' }] },
    }),
    fill: `with one as (insert into devices (workgroup, name, arch, meta)
        select 'full', 'Outside', 'amd64', '{}' returning id)
      insert into external_sources (workgroup, device_id, name, kind, is_enabled, format, records_path, mapping)
      select 'full', one.id, n::text, 'push', false, 'json', '', '{}' from one, generate_series(1, $1) n`,
    text: 'A workgroup can have up to 200 external sources. Delete one first.',
  },
  historyImports: {
    path: 'historyImports/full',
    body: (i: number) => ({ name: `${i}.csv`, format: 'csv', bytes: 1 }),
    fill: `insert into history_imports (workgroup, name, format, bytes, counts, by)
      select 'full', n::text, 'csv', 1, '{}', 'a' from generate_series(1, $1) n`,
    text: 'A workgroup can keep up to 20 files to import. Delete one first.',
  },
  lookupTables: {
    path: 'lookupTables/full',
    body: (i: number) => ({ code: `code-${i}`, name: `Codes ${i}` }),
    fill: `insert into lookup_tables (workgroup, code, name, fields, values)
      select 'full', n::text, n::text, '[]', '[]' from generate_series(1, $1) n`,
    text: 'A workgroup can have up to 100 lookup tables. Delete one first.',
  },
  searches: {
    path: 'searches/full',
    body: (i: number) => ({ name: `Search ${i}`, table: 'data' }),
    fill: `insert into searches (workgroup, name, content)
      select 'full', n::text, '{}' from generate_series(1, $1) n`,
    text: 'A workgroup can have up to 2000 saved searches. Delete one first.',
  },
  formulae: {
    path: 'formulae/full',
    body: (i: number) => ({ title: `Formula ${i}`, expression: '1 + 1' }),
    fill: `insert into formulae (workgroup, title, expression, result_unit, inputs)
      select 'full', n::text, '1', '', '[]' from generate_series(1, $1) n`,
    text: 'A workgroup can have up to 2000 formulas. Delete one first.',
  },
  displays: {
    path: 'displays/full',
    body: (i: number) => ({ name: `Display ${i}`, pages: [{ board: BOARD }] }),
    fill: `with board as (insert into entity_dashboards (id, workgroup, type, type_id, name, board, updated_by)
        select '${BOARD}', name, 'label', 'site', 'Site', '{"format": 1, "items": []}', 'a' from workgroups)
      insert into display_links
      (workgroup, name, pages, interval_s, "order", free, networks, token_hash, maker_id, made_by, expires_at)
      select 'full', n::text, '[]', 30, 'given', '[]', '[]', n::text, gen_random_uuid(), 'a', now() + interval '1 d'
      from generate_series(1, $1) n`,
    text: 'A workgroup can have up to 500 display links. Revoke one first.',
  },
} satisfies Record<keyof typeof WORKGROUP_LIMITS, object>;

test.each(Object.entries(kinds))('a workgroup that is full of %s takes no more', async (kind, of) => {
  const token = await cloud.newUser({ full: { role: 'owner' } });
  const make = (i: number) => cloud.call('POST', of.path, { token, body: of.body(i) });
  const limit = WORKGROUP_LIMITS[kind as keyof typeof WORKGROUP_LIMITS];
  await cloud.cloud.features.postgres.query(of.fill, [limit - 1]);
  expect((await make(1)).status).toBe(200);
  expect(await make(2)).toMatchObject({ status: 409, body: { message: of.text } });
  // Another workgroup has room of its own.
  const other = await cloud.newUser({ empty: { role: 'owner' } });
  const path = of.path.replace('full', 'empty');
  expect((await cloud.call('POST', path, { token: other, body: of.body(2) })).status).toBe(200);
});
