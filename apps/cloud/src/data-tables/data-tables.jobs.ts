import { CLOUD_TABLES } from '@albedo/contract/telemetry/telemetry.schema';
import { z } from 'zod';
import { ALL_DEVICES } from '../access/device-scope.ts';
import { defineJob } from '../jobs/job.ts';
import type { LongActionKind } from '../long-actions/long-actions.service.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import type { DataTablesStore } from './data-tables.store.ts';

const DAY_MS = 86_400_000;

export type TableRemoval = LongActionKind<{ workgroup: string; table: string }>;

/** Deletes every event of a table; what devices send meanwhile and later is stored. May be repeated. */
export const tableRemoval = (telemetry: Telemetry): TableRemoval => ({
  kind: 'data-table-removal',
  input: z.object({ workgroup: z.string(), table: z.string() }),
  canCancel: false,
  run: async ({ input: { workgroup, table } }) => {
    await telemetry.asSystem('data administration').deleteEvents(workgroup, table);
    return {};
  },
});

/** Deletes at night what is older than the workgroups keep it. */
export const retentionJob = (of: { telemetry: Telemetry; store: DataTablesStore }) =>
  defineJob({
    name: 'data-retention',
    payload: z.object({}),
    limitS: 4 * 3600,
    retry: { times: 3, afterS: 60, atMostS: 900 },
    oneAtATime: { key: () => 'all', waiting: 'one' },
    schedule: { cron: '40 1 * * *', zone: 'UTC', payload: {} },
    run: ({ signal }) => deleteWhatIsTooOld(of, Date.now(), signal),
  });

/** `now` is epoch ms; whole days in UTC are deleted. */
export async function deleteWhatIsTooOld(
  { telemetry, store }: { telemetry: Telemetry; store: DataTablesStore },
  now: number,
  signal?: AbortSignal,
): Promise<void> {
  const administration = telemetry.asSystem('data administration');
  const own = await store.allRetentions();
  for (const { workgroup, table, days } of own) {
    signal?.throwIfAborted();
    await administration.deleteEvents(workgroup, table, keptSince(now, days));
  }
  const hasOwn = new Set(own.map(({ workgroup, table }) => `${workgroup} ${table}`));
  for (const { workgroup, days } of await store.defaultRetentions()) {
    for (const table of await administration.tables(workgroup, ALL_DEVICES)) {
      signal?.throwIfAborted();
      if (CLOUD_TABLES.has(table) || hasOwn.has(`${workgroup} ${table}`)) continue;
      await administration.deleteEvents(workgroup, table, keptSince(now, days));
    }
  }
}

/** What was measured before is too old; `now` is epoch ms, whole days in UTC. */
export const keptSince = (now: number, days: number): number =>
  Math.floor(now / DAY_MS) * DAY_MS - days * DAY_MS;
