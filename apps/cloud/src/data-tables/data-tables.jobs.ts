import { CLOUD_TABLES } from '@albedo/contract/telemetry/telemetry.schema';
import { z } from 'zod';
import type { Actor } from '../access/actor.ts';
import { ALL_DEVICES } from '../access/device-scope.ts';
import type { Audit } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import { defineJob } from '../jobs/job.ts';
import type { LongActionKind } from '../long-actions/long-actions.service.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import type { DataTablesStore } from './data-tables.store.ts';
import { demandFree, dropsOf, type IsOpen, meets, nameOf, spanOf } from './drop-part.ts';
import type { DropsStore, HoldRow, Part } from './drops.store.ts';

const DAY_MS = 86_400_000;

export type Removal = LongActionKind<z.output<typeof removal>>;

const removal = z.object({
  workgroup: z.string(),
  table: z.string(),
  month: z.string().optional(),
  /** Events of the month as the drop was asked for: an attempt that was cut off leaves none to count. */
  events: z.number().int().optional(),
});

interface RemovalOptions {
  telemetry: Telemetry;
  store: DropsStore;
  isOpen: IsOpen;
  audit: Pick<Audit, 'record'>;
}

/**
 * Deletes every event of a table, or of one of its months. What devices send to the table meanwhile and later is stored. May
 * be repeated: a removal that was cut off starts again and ends with the same result.
 */
export const tableRemoval = (of: RemovalOptions): Removal => ({
  kind: 'data-table-removal',
  input: removal,
  canCancel: false,
  run: async ({ id, input: { workgroup, table, month = null, events: asked = 0 }, by }) => {
    const part = { workgroup, table, month };
    const administration = of.telemetry.asSystem('data administration');
    await mark(of, part, id, by);
    const deleted =
      month === null
        ? await administration.deleteEvents(workgroup, table).then(() => 0)
        : await administration.deleteMonth(workgroup, table, spanOf(month));
    const events = Math.max(asked, deleted);
    await of.store.end(part, id, by.email, events, new Date());
    return { result: { events } };
  },
});

/**
 * Marks a drop as running, so that no legal hold can be placed meanwhile. Every attempt marks it again: one that failed or
 * was cancelled has lost its mark. Throws `data_table.held`, `data_table.dropping`.
 */
async function mark(
  { store, isOpen, audit }: RemovalOptions,
  part: Part,
  id: string,
  by: Actor,
): Promise<void> {
  const { workgroup } = part;
  try {
    await store.alone(part, async () => {
      demandFree(await store.holds(workgroup, part.table), part);
      const { running } = await dropsOf(store, isOpen, part);
      if (running.some((drop) => drop.action !== id && meets(drop, part)))
        throw new AppError('data_table.dropping');
      await store.begin(part, id, by.email, new Date());
    });
  } catch (error) {
    if (error instanceof AppError)
      audit.record({
        ...{ workgroup, at: Date.now(), controller: part.month === null ? 'table' : 'index' },
        ...{ entity: nameOf(part), action: 'delete', attribute: 'object', newValue: error.message },
        ...{ status: 'failed' as const, by: by.email, address: by.address },
      });
    throw error;
  }
}

interface Night {
  telemetry: Telemetry;
  store: DataTablesStore;
  drops: DropsStore;
  audit: Pick<Audit, 'record'>;
  isOpen: IsOpen;
}

/** Deletes at night what is older than workgroups keep it, and what came in later for dropped months. */
export const retentionJob = (of: Night) =>
  defineJob({
    name: 'data-retention',
    payload: z.object({}),
    limitS: 4 * 3600,
    retry: { times: 3, afterS: 60, atMostS: 900 },
    oneAtATime: { key: () => 'all', waiting: 'one' },
    schedule: { cron: '40 1 * * *', zone: 'UTC', payload: {} },
    run: async ({ signal }) => {
      await forgetEndedDrops(of);
      await finishCleanings(of, signal);
      await deleteWhatIsTooOld(of, Date.now(), signal);
      await deleteWhatCameLater(of, signal);
    },
  });

/** Records and forgets drops that were cancelled or failed for good. */
export async function forgetEndedDrops({
  drops,
  audit,
  isOpen,
}: Omit<Night, 'telemetry' | 'store'>): Promise<void> {
  for (const drop of await drops.unfinished())
    await drops.alone(drop, async () => {
      const { ended } = await dropsOf(drops, isOpen, drop);
      if (!ended.some(({ month }) => month === drop.month)) return;
      const part = { ...drop, month: drop.month || null };
      await drops.forget(part);
      audit.record({
        ...{ workgroup: drop.workgroup, at: Date.now(), controller: part.month === null ? 'table' : 'index' },
        ...{ entity: nameOf(part), action: 'delete', attribute: 'object', status: 'failed', by: null },
      });
    });
}

/** Finishes what an earlier night left undone. Even if no events are left, what is derived from them may still be wrong. */
export async function finishCleanings(of: Night, signal?: AbortSignal): Promise<void> {
  for (const { workgroup, table, month, before } of await of.drops.allCleanings()) {
    signal?.throwIfAborted();
    if (month === '') await deleteBefore(of, { workgroup, table, before });
    else await deleteLater(of, { workgroup, table, month });
  }
}

/** Deletes whole days in UTC, except what is under a legal hold; `now` is epoch ms. */
export async function deleteWhatIsTooOld(of: Night, now: number, signal?: AbortSignal): Promise<void> {
  const { telemetry, store } = of;
  const administration = telemetry.asSystem('data administration');
  const retentions = await store.allRetentions();
  for (const { workgroup, table, days } of retentions) {
    signal?.throwIfAborted();
    await deleteBefore(of, { workgroup, table, before: keptSince(now, days) });
  }
  const hasOwn = new Set(retentions.map(({ workgroup, table }) => `${workgroup} ${table}`));
  for (const { workgroup, days } of await store.defaultRetentions()) {
    for (const table of await administration.tables(workgroup, ALL_DEVICES)) {
      signal?.throwIfAborted();
      if (CLOUD_TABLES.has(table) || hasOwn.has(`${workgroup} ${table}`)) continue;
      await deleteBefore(of, { workgroup, table, before: keptSince(now, days) });
    }
  }
}

/**
 * Marked while it runs, so that no legal hold can be placed meanwhile and the next night finishes what was cut off. If a hold
 * forbids all of it, nothing is marked.
 */
async function deleteBefore(
  { telemetry, drops, audit }: Night,
  { workgroup, table, before }: { workgroup: string; table: string; before: number },
): Promise<void> {
  const mark = { workgroup, table, month: '', before, at: new Date() };
  const begun = await drops.alone(mark, async () => {
    const holds = await drops.holds(workgroup, table);
    const held = holds.filter(({ month }) => month === null || spanOf(month).from < before);
    for (const hold of held) audit.record(refusedBy(hold));
    if (held.some(({ month }) => month === null)) return null;
    const isAgain = (await drops.cleanings(workgroup, table)).some(({ month }) => month === '');
    await drops.beginCleaning(mark);
    return { isAgain, except: held.flatMap(({ month }) => (month === null ? [] : [spanOf(month)])) };
  });
  if (!begun) return;
  const { isAgain, except } = begun;
  const administration = telemetry.asSystem('data administration');
  await administration.deleteEvents(workgroup, table, before, { except, isAgain });
  await drops.endCleaning(mark);
}

/** The audit entry for events that a legal hold kept from being deleted. */
const refusedBy = (hold: HoldRow) => ({
  ...{ workgroup: hold.workgroup, at: Date.now(), controller: 'data-table', entity: nameOf(hold) },
  ...{ action: 'delete', attribute: 'retention', status: 'failed' as const, by: null },
  newValue: `Legal hold of ${hold.by}: ${hold.reason}`,
});

/** Deletes what devices sent for dropped months since then; what people imported on purpose stays. */
export async function deleteWhatCameLater(of: Night, signal?: AbortSignal): Promise<void> {
  for (const part of await of.drops.droppedMonths()) {
    signal?.throwIfAborted();
    await deleteLater(of, part);
  }
}

/** Marked like `deleteBefore`. */
async function deleteLater(
  { telemetry, drops, audit }: Night,
  { workgroup, table, month }: { workgroup: string; table: string; month: string },
): Promise<void> {
  const part = { workgroup, table, month };
  const span = spanOf(month);
  const mark = { ...part, before: span.to, at: new Date() };
  const begun = await drops.alone(part, async () => {
    const holds = await drops.holds(workgroup, table);
    if (holds.some((hold) => hold.month === null || hold.month === month)) return null;
    const isAgain = (await drops.cleanings(workgroup, table)).some((cleaning) => cleaning.month === month);
    await drops.beginCleaning(mark);
    return { isAgain };
  });
  if (!begun) return;
  const administration = telemetry.asSystem('data administration');
  const events = await administration.deleteMonth(workgroup, table, span, { isSentOnly: true, ...begun });
  if (events > 0) {
    await drops.noteLater(part, events);
    audit.record({
      ...{ workgroup, at: Date.now(), controller: 'index', entity: nameOf(part), action: 'delete' },
      ...{ attribute: 'late', oldValue: `${events} events`, by: null },
    });
  }
  await drops.endCleaning(mark);
}

/** What was measured before is too old; `now` is epoch ms, whole days in UTC. */
export const keptSince = (now: number, days: number): number =>
  Math.floor(now / DAY_MS) * DAY_MS - days * DAY_MS;
