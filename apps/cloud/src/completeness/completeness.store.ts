import type { Gap, ImportedEvents, Quarantined } from '@albedo/contract/completeness/completeness.schema';
import { SHARDS, shardOf } from '@albedo/contract/link/link.topics';
import type { Postgres } from '@albedo/postgres/postgres';
import { storableJson } from '@albedo/postgres/storable';
import { desc, eq, type SQLWrapper, sql } from 'drizzle-orm';
import type { Held } from '../shards/shards.service.ts';
import { linkShards } from '../shards/shards.tables.ts';
import { days, gaps, imported, ledgers, quarantine } from './completeness.tables.ts';
import type { SavedState } from './device-ledger.ts';
import { GAPS_KEPT } from './ledger-gaps.ts';

/** Messages set aside that are kept for one device: the newest. */
export const QUARANTINE_KEPT = 1000;
/** Ledgers written by one statement; between two the event loop runs. */
const CHUNK = 200;
/** A checkpoint that stands still for so long is broken off by the database. */
const STOPPED_MS = 1500;

/** One message that could not be stored. */
export interface SetAside extends Omit<Quarantined, 'id'> {
  device: string;
}

export interface Checkpoint {
  /** Everything stored before this instant is in the states, epoch ms. */
  savedAt: number;
  states: { device: string; state: () => SavedState }[];
  gaps: { device: string; gap: Gap }[];
  setAside: SetAside[];
  /** All shards that this process counts, under their tokens; null when it counts every device. */
  held: Held[] | null;
}

/** SQL of the ledger; every write goes over many devices at once. */
export class CompletenessStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /**
   * The ledgers of these shards, or of all, and the instant before which they are exact; 0 when there was no checkpoint
   * yet.
   */
  async load(
    shards: readonly string[] | null,
  ): Promise<{ savedAt: number; states: Map<string, SavedState>; gaps: Map<string, Gap[]> }> {
    const { db } = this.#postgres;
    const marks = await db.select().from(linkShards);
    const newest = await this.#newest();
    const isMeant = (id: SQLWrapper) => (shards ? inShards(id, shards) : undefined);
    const saved = await db.select().from(ledgers).where(isMeant(ledgers.deviceId));
    const gapsOf = new Map<string, Gap[]>();
    const gapRows = db.select().from(gaps).where(isMeant(gaps.deviceId)).orderBy(gaps.reportedAt);
    for (const { deviceId, ...row } of await gapRows) {
      const gap = asGap(row);
      const list = gapsOf.get(deviceId);
      if (list) list.push(gap);
      else gapsOf.set(deviceId, [gap]);
    }
    return {
      savedAt: exactBefore(shards, marks, newest),
      states: new Map(saved.map((row) => [row.deviceId, row.state])),
      gaps: gapsOf,
    };
  }

  /** The ledger of one device as it was last saved. */
  async loadOne(device: string): Promise<{ state: SavedState | null; gaps: Gap[] }> {
    const { db } = this.#postgres;
    const [saved] = await db.select().from(ledgers).where(eq(ledgers.deviceId, device));
    const rows = await db.select().from(gaps).where(eq(gaps.deviceId, device)).orderBy(gaps.reportedAt);
    return { state: saved?.state ?? null, gaps: rows.map(({ deviceId: _, ...row }) => asGap(row)) };
  }

  /** Saves everything or nothing, except of shards that another process has taken: those are answered. */
  async save(checkpoint: Checkpoint): Promise<string[]> {
    const savedAt = new Date(checkpoint.savedAt).toISOString();
    return this.#postgres.db.transaction(async (transaction) => {
      const lost = new Set<string>();
      if (checkpoint.held) {
        // One that is stopped in the middle of this must not keep its shards from the others.
        await transaction.execute(sql.raw(`SET LOCAL idle_in_transaction_session_timeout = ${STOPPED_MS}`));
        const marked = await transaction.execute(markShards(checkpoint.held, savedAt));
        const own = new Set(
          (marked as unknown as { rows: { shard: string }[] }).rows.map(({ shard }) => shard),
        );
        for (const { shard } of checkpoint.held) if (!own.has(shard)) lost.add(shard);
      } else
        await transaction.execute(sql`UPDATE link_shards SET saved_at = NULL WHERE saved_at IS NOT NULL`);
      const isOwn = ({ device }: { device: string }) => !lost.has(shardOf(device));
      const gapRows = checkpoint.gaps.filter(isOwn).map(({ device, gap }) => ({
        ...gap,
        device,
        table: gap.table ?? '',
        source: gap.source ?? '',
      }));
      const setAside = checkpoint.setAside.filter(isOwn);
      const states = checkpoint.states.filter(isOwn);
      if (gapRows.length > 0) await transaction.execute(upsertGaps(gapRows));
      if (setAside.length > 0) await transaction.execute(insertSetAside(setAside));
      for (let at = 0; at < states.length; at += CHUNK) {
        const rows = states.slice(at, at + CHUNK).map(({ device, state }) => ({ device, state: state() }));
        await transaction.execute(upsertStates(rows, savedAt));
      }
      return [...lost];
    });
  }

  /** Forgets what is beyond the limits of each of these devices. */
  async trim(devices: readonly string[]): Promise<void> {
    const ids = JSON.stringify(devices);
    await this.#postgres.db.execute(sql`
      DELETE FROM completeness_quarantine q USING (
        SELECT d.id::uuid AS device_id, (
          SELECT id FROM completeness_quarantine WHERE device_id = d.id::uuid
          ORDER BY id DESC OFFSET ${QUARANTINE_KEPT} LIMIT 1) AS last
        FROM jsonb_array_elements_text(${ids}::jsonb) AS d(id)) old
      WHERE q.device_id = old.device_id AND q.id <= old.last`);
    await this.#postgres.db.execute(sql`
      DELETE FROM completeness_gaps g USING (
        SELECT d.id::uuid AS device_id, (
          SELECT reported_at FROM completeness_gaps WHERE device_id = d.id::uuid
          ORDER BY reported_at DESC OFFSET ${GAPS_KEPT} LIMIT 1) AS last
        FROM jsonb_array_elements_text(${ids}::jsonb) AS d(id)) old
      WHERE g.device_id = old.device_id AND g.reported_at <= old.last`);
  }

  async quarantined(device: string, limit: number): Promise<Quarantined[]> {
    const rows = await this.#postgres.db
      .select()
      .from(quarantine)
      .where(eq(quarantine.deviceId, device))
      .orderBy(desc(quarantine.id))
      .limit(limit);
    return rows.map(({ deviceId: _, receivedAt, ...row }) => ({ ...row, receivedAt: receivedAt.getTime() }));
  }

  /** Newest first. */
  async imported(device: string, limit: number): Promise<ImportedEvents[]> {
    const rows = await this.#postgres.db
      .select()
      .from(imported)
      .where(eq(imported.deviceId, device))
      .orderBy(desc(imported.at), imported.table, imported.source)
      .limit(limit);
    return rows.map(({ deviceId: _, firstEventAt, lastEventAt, at, ...row }) => ({
      ...row,
      firstEventAt: firstEventAt.getTime(),
      lastEventAt: lastEventAt.getTime(),
      at: at.getTime(),
    }));
  }

  /** Puts what an import brought in the place of what was known of it. */
  async setImported(importId: string, rows: readonly (ImportedEvents & { device: string })[]): Promise<void> {
    await this.#postgres.db.transaction(async (transaction) => {
      await transaction.delete(imported).where(eq(imported.importId, importId));
      const values = rows.map(({ device, firstEventAt, lastEventAt, at, ...row }) => ({
        ...row,
        importId,
        deviceId: device,
        firstEventAt: new Date(firstEventAt),
        lastEventAt: new Date(lastEventAt),
        at: new Date(at),
      }));
      for (let i = 0; i < values.length; i += 1000)
        await transaction.insert(imported).values(values.slice(i, i + 1000));
    });
  }

  /** Newest checkpoint of any device of each shard, epoch ms. */
  async #newest(): Promise<Map<string, number>> {
    const rows = await this.#postgres.query<{ shard: string; saved_at: Date }>(
      'SELECT right(device_id::text, 2) AS shard, max(saved_at) AS saved_at FROM completeness GROUP BY 1',
    );
    return new Map(rows.map(({ shard, saved_at: at }) => [shard, at.getTime()]));
  }

  async forget(device: string): Promise<void> {
    for (const table of [ledgers, gaps, quarantine, days, imported]) {
      await this.#postgres.db.delete(table).where(eq(table.deviceId, device));
    }
  }
}

/**
 * The instant before which the ledgers of these shards, or of all, are exact. Whoever saves says so of all its shards
 * (`mark`); a process that has all devices marks none, and then its newest checkpoint holds for every device.
 */
function exactBefore(
  shards: readonly string[] | null,
  marks: readonly { shard: string; savedAt: Date | null }[],
  newest: ReadonlyMap<string, number>,
): number {
  const marked = new Map(
    marks.flatMap(({ shard, savedAt }) => (savedAt ? [[shard, savedAt.getTime()]] : [])),
  );
  const unmarked = [...newest].filter(([shard]) => !marked.has(shard)).map(([, at]) => at);
  const ofUnmarked = Math.max(0, ...unmarked);
  return Math.min(...(shards ?? SHARDS).map((shard) => marked.get(shard) ?? ofUnmarked));
}

const inShards = (id: SQLWrapper, shards: readonly string[]) =>
  sql`right(${id}::text, 2) IN (SELECT jsonb_array_elements_text(${JSON.stringify(shards)}::jsonb))`;

const markShards = (held: readonly Held[], savedAt: string) => sql`
  UPDATE link_shards s SET saved_at = greatest(s.saved_at, ${savedAt}::timestamptz)
  FROM jsonb_to_recordset(${JSON.stringify(held)}::jsonb) AS t(shard text, token int8)
  WHERE s.shard = t.shard AND s.token = t.token
  RETURNING s.shard`;

/** An empty text stands for no stream, since a unique key compares no nulls. */
const asGap = (row: Omit<typeof gaps.$inferSelect, 'deviceId'>): Gap => ({
  ...row,
  table: row.table || null,
  source: row.source || null,
});

const upsertStates = (rows: object[], savedAt: string) => sql`
  INSERT INTO completeness (device_id, state, saved_at)
  SELECT device, state, ${savedAt}::timestamptz
  FROM jsonb_to_recordset(${storableJson(rows)}::jsonb) AS t(device uuid, state jsonb)
  ON CONFLICT (device_id) DO UPDATE SET state = excluded.state, saved_at = excluded.saved_at`;

const upsertGaps = (rows: object[]) => sql`
  INSERT INTO completeness_gaps
    (device_id, from_id, to_id, tbl, source, cause, events, first_event_at, last_event_at, reported_at)
  SELECT device, "from", "to", "table", source, cause, events, "firstEventAt", "lastEventAt", "reportedAt"
  FROM jsonb_to_recordset(${storableJson(rows)}::jsonb) AS t(
    device uuid, "from" int8, "to" int8, "table" text, source text, cause text, events int8,
    "firstEventAt" int8, "lastEventAt" int8, "reportedAt" int8)
  ON CONFLICT (device_id, from_id, cause, tbl, source) DO UPDATE SET
    to_id = excluded.to_id, events = excluded.events,
    first_event_at = excluded.first_event_at, last_event_at = excluded.last_event_at`;

const insertSetAside = (rows: SetAside[]) => sql`
  INSERT INTO completeness_quarantine (device_id, received_at, topic, reason, msg_ids, sample)
  SELECT device, to_timestamp("receivedAt" / 1000.0), topic, reason, "msgIds", sample
  FROM jsonb_to_recordset(${storableJson(rows)}::jsonb) AS t(
    device uuid, "receivedAt" float8, topic text, reason text, "msgIds" jsonb, sample text)`;
