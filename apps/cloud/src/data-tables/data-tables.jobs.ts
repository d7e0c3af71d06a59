import { z } from 'zod';
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
  for (const { workgroup, table, days } of await store.allRetentions()) {
    signal?.throwIfAborted();
    const before = Math.floor(now / DAY_MS) * DAY_MS - days * DAY_MS;
    await administration.deleteEvents(workgroup, table, before);
  }
}
