import { CLOUD_TABLES } from '@albedo/contract/telemetry/telemetry.schema';
import { z } from 'zod';
import { ALL_DEVICES } from '../access/device-scope.ts';
import type { Audit } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import { defineJob, Hopeless } from '../jobs/job.ts';
import type { LongActionKind } from '../long-actions/long-actions.service.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import type { DataTablesStore } from './data-tables.store.ts';
import { demandFree, nameOf, spanOf } from './drop-part.ts';
import type { DropsStore, HoldRow } from './drops.store.ts';

const DAY_MS = 86_400_000;

export type Removal = LongActionKind<{ workgroup: string; table: string; month?: string | undefined }>;

/**
 * Deletes every event of a table, or of a month of it. Of the table, what devices send meanwhile and later is stored. May be
 * repeated: what was cut off begins again and ends with the same.
 */
export const tableRemoval = (telemetry: Telemetry, store: DropsStore): Removal => ({
  kind: 'data-table-removal',
  input: z.object({ workgroup: z.string(), table: z.string(), month: z.string().optional() }),
  canCancel: false,
  run: async ({ input: { workgroup, table, month = null } }) => {
    const part = { workgroup, table, month };
    const administration = telemetry.asSystem('data administration');
    // A legal hold cannot come while it is marked as running; what was begun before there were marks has none.
    await demandFreeOr(store, part);
    const events =
      month === null
        ? await administration.deleteEvents(workgroup, table).then(() => 0)
        : await administration.deleteMonth(workgroup, table, spanOf(month));
    await store.end(part, events, new Date());
    return { result: { events } };
  },
});

async function demandFreeOr(store: DropsStore, part: Parameters<DropsStore['forget']>[0]): Promise<void> {
  try {
    demandFree(await store.holds(part.workgroup, part.table), part);
  } catch (error) {
    await store.forget(part);
    throw error instanceof AppError ? new Hopeless(error.message) : error;
  }
}

interface Night {
  telemetry: Telemetry;
  store: DataTablesStore;
  drops: DropsStore;
  audit: Pick<Audit, 'record'>;
}

/** Deletes at night what is older than the workgroups keep it, and what came later of months that were dropped. */
export const retentionJob = (of: Night) =>
  defineJob({
    name: 'data-retention',
    payload: z.object({}),
    limitS: 4 * 3600,
    retry: { times: 3, afterS: 60, atMostS: 900 },
    oneAtATime: { key: () => 'all', waiting: 'one' },
    schedule: { cron: '40 1 * * *', zone: 'UTC', payload: {} },
    run: async ({ signal }) => {
      await deleteWhatIsTooOld(of, Date.now(), signal);
      await deleteWhatCameLater(of, signal);
    },
  });

/** `now` is epoch ms; whole days in UTC are deleted, but for what is under a legal hold. */
export async function deleteWhatIsTooOld(of: Night, now: number, signal?: AbortSignal): Promise<void> {
  const { telemetry, store } = of;
  const administration = telemetry.asSystem('data administration');
  const own = await store.allRetentions();
  for (const { workgroup, table, days } of own) {
    signal?.throwIfAborted();
    await deleteBefore(of, { workgroup, table, before: keptSince(now, days) });
  }
  const hasOwn = new Set(own.map(({ workgroup, table }) => `${workgroup} ${table}`));
  for (const { workgroup, days } of await store.defaultRetentions()) {
    for (const table of await administration.tables(workgroup, ALL_DEVICES)) {
      signal?.throwIfAborted();
      if (CLOUD_TABLES.has(table) || hasOwn.has(`${workgroup} ${table}`)) continue;
      await deleteBefore(of, { workgroup, table, before: keptSince(now, days) });
    }
  }
}

async function deleteBefore(
  { telemetry, drops, audit }: Night,
  { workgroup, table, before }: { workgroup: string; table: string; before: number },
): Promise<void> {
  const holds = await drops.holds(workgroup, table);
  const held = holds.filter(({ month }) => month === null || spanOf(month).from < before);
  for (const hold of held) audit.record(refusedBy(hold));
  if (held.some(({ month }) => month === null)) return;
  const months = held.flatMap(({ month }) => (month === null ? [] : [spanOf(month)]));
  await telemetry.asSystem('data administration').deleteEvents(workgroup, table, before, months);
}

/** That the retention of a table let something stay, and why. */
const refusedBy = (hold: HoldRow) => ({
  ...{ workgroup: hold.workgroup, at: Date.now(), controller: 'data-table', entity: nameOf(hold) },
  ...{ action: 'delete', attribute: 'retention', status: 'failed' as const, by: null },
  newValue: `Legal hold of ${hold.by}: ${hold.reason}`,
});

/** What devices bring of a dropped month does not come back; what people import on purpose stays. */
export async function deleteWhatCameLater(
  { telemetry, drops, audit }: Pick<Night, 'telemetry' | 'drops' | 'audit'>,
  signal?: AbortSignal,
): Promise<void> {
  const administration = telemetry.asSystem('data administration');
  for (const part of await drops.droppedMonths()) {
    signal?.throwIfAborted();
    const { workgroup, table, month } = part;
    const holds = await drops.holds(workgroup, table);
    if (holds.some((hold) => hold.month === null || hold.month === month)) continue;
    const events = await administration.deleteMonth(workgroup, table, spanOf(month), { isSentOnly: true });
    if (events === 0) continue;
    await drops.noteLater(part, events);
    audit.record({
      ...{ workgroup, at: Date.now(), controller: 'index', entity: nameOf(part), action: 'delete' },
      ...{ attribute: 'late', oldValue: `${events} events`, by: null },
    });
  }
}

/** What was measured before is too old; `now` is epoch ms, whole days in UTC. */
export const keptSince = (now: number, days: number): number =>
  Math.floor(now / DAY_MS) * DAY_MS - days * DAY_MS;
