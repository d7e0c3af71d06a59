import type { Camera, Photo, PhotoQuery } from '@albedo/contract/photos/photos.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  lt,
  notExists,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { DeviceScope } from '../access/device-scope.ts';
import { devices } from '../database/devices.tables.ts';
import { photos } from './photos.tables.ts';

export type PhotoRow = typeof photos.$inferSelect;
export type NewPhoto = typeof photos.$inferInsert;

/** Where a photo stands in a list. */
export interface PhotoPlace {
  takenAt: number;
  device: string;
  id: string;
}

/** Which photos are meant; of a device that is gone none is. */
export interface PhotosMeant extends Pick<PhotoQuery, 'startTime' | 'endTime' | 'device'> {
  workgroup: string;
  scope: DeviceScope;
  source?: string | undefined;
}

/** Records of photos, in SQL. */
export class PhotosStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** False when it is there already. */
  async add(row: NewPhoto): Promise<boolean> {
    const added = await this.#postgres.db
      .insert(photos)
      .values(row)
      .onConflictDoNothing()
      .returning({ id: photos.id });
    return added.length > 0;
  }

  /** Which of these are there. */
  async known(deviceId: string, ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.#postgres.db
      .select({ id: photos.id })
      .from(photos)
      .where(and(eq(photos.deviceId, deviceId), inArray(photos.id, [...ids])));
    return new Set(rows.map(({ id }) => id));
  }

  /** Newest first. */
  list(meant: PhotosMeant, limit: number, after: PhotoPlace | null): Promise<PhotoRow[]> {
    const place = sql`(${photos.takenAt}, ${photos.deviceId}, ${photos.id})`;
    const rest = after
      ? sql`${place} < (${new Date(after.takenAt).toISOString()}::timestamptz, ${after.device}::uuid, ${after.id}::uuid)`
      : undefined;
    return this.#postgres.db
      .select()
      .from(photos)
      .where(and(isMeant(meant), rest))
      .orderBy(desc(photos.takenAt), desc(photos.deviceId), desc(photos.id))
      .limit(limit);
  }

  /** Oldest first; of more than `frames` so many, spread evenly. */
  async frames(meant: PhotosMeant, frames: number): Promise<{ rows: PhotoRow[]; total: number }> {
    const inOrder = sql`order by ${photos.takenAt}, ${photos.id}`;
    const numbered = this.#postgres.db
      .select({
        ...getTableColumns(photos),
        n: sql<number>`(row_number() over (${inOrder}) - 1)`.as('n'),
        total: sql<number>`count(*) over ()`.as('total'),
      })
      .from(photos)
      .where(isMeant(meant))
      .as('numbered');
    const slot = (n: SQL) => sql`floor(${n} * ${frames}::numeric / ${numbered.total})`;
    const isShown = sql`${numbered.total} <= ${frames} or ${slot(sql`${numbered.n}`)} <> ${slot(sql`(${numbered.n} - 1)`)}`;
    const rows = await this.#postgres.db
      .select()
      .from(numbered)
      .where(isShown)
      .orderBy(asc(numbered.takenAt), asc(numbered.id));
    return { rows, total: Number(rows[0]?.total ?? 0) };
  }

  /** Newest first. */
  async cameras(workgroup: string, scope: DeviceScope): Promise<Camera[]> {
    const epoch = (time: SQL) => sql<number>`extract(epoch from ${time}) * 1000`.mapWith(Number);
    return this.#postgres.db
      .select({
        deviceId: photos.deviceId,
        source: photos.source,
        photos: sql<number>`count(*)`.mapWith(Number),
        bytes: sql<number>`sum(${photos.size})`.mapWith(Number),
        firstAt: epoch(sql`min(${photos.takenAt})`),
        lastAt: epoch(sql`max(${photos.takenAt})`),
      })
      .from(photos)
      .where(isMeant({ workgroup, scope }))
      .groupBy(photos.deviceId, photos.source)
      .orderBy(desc(sql`max(${photos.takenAt})`), photos.source);
  }

  async get(workgroup: string, deviceId: string, id: string): Promise<PhotoRow | undefined> {
    const [row] = await this.#postgres.db
      .select()
      .from(photos)
      .where(isOne(workgroup, deviceId, id));
    return row;
  }

  /** Takes away the record of one, and answers where its bytes lie. */
  async remove(workgroup: string, deviceId: string, id: string): Promise<string | undefined> {
    const [row] = await this.#postgres.db
      .delete(photos)
      .where(isOne(workgroup, deviceId, id))
      .returning();
    return row?.fileKey;
  }

  ofWorkgroup(workgroup: string): Promise<PhotoRow[]> {
    return this.#postgres.db.select().from(photos).where(eq(photos.workgroup, workgroup));
  }

  /** Bytes of each workgroup. */
  usage(): Promise<{ workgroup: string; bytes: number }[]> {
    return this.#postgres.db
      .select({
        workgroup: photos.workgroup,
        bytes: sql<number>`sum(${photos.size}::bigint)`.mapWith(Number),
      })
      .from(photos)
      .groupBy(photos.workgroup);
  }

  /** The oldest of a workgroup: those before a time, or without one however young. */
  oldest(workgroup: string, before: Date | null, limit: number): Promise<PhotoRow[]> {
    return this.#postgres.db
      .select()
      .from(photos)
      .where(and(eq(photos.workgroup, workgroup), before ? lt(photos.takenAt, before) : undefined))
      .orderBy(photos.takenAt)
      .limit(limit);
  }

  /** Of all workgroups, in the order of devices: those after a photo. */
  page(after: Pick<PhotoRow, 'deviceId' | 'id'> | null, limit: number): Promise<PhotoRow[]> {
    const rest =
      after && sql`(${photos.deviceId}, ${photos.id}) > (${after.deviceId}::uuid, ${after.id}::uuid)`;
    return this.#postgres.db
      .select()
      .from(photos)
      .where(rest ?? undefined)
      .orderBy(asc(photos.deviceId), asc(photos.id))
      .limit(limit);
  }

  /** Those whose device is gone, of all workgroups. */
  orphans(limit: number): Promise<PhotoRow[]> {
    const device = this.#postgres.db.select().from(devices).where(eq(devices.id, photos.deviceId));
    return this.#postgres.db.select().from(photos).where(notExists(device)).limit(limit);
  }
}

const isOne = (workgroup: string, deviceId: string, id: string) =>
  and(eq(photos.workgroup, workgroup), eq(photos.deviceId, deviceId), eq(photos.id, id));

function isMeant({ workgroup, scope, device, source, startTime, endTime }: PhotosMeant): SQL | undefined {
  return and(
    eq(photos.workgroup, workgroup),
    isVisible(scope),
    sql`exists (select from ${devices} where ${devices.id} = ${photos.deviceId})`,
    device === undefined ? undefined : eq(photos.deviceId, device),
    source === undefined ? undefined : eq(photos.source, source),
    startTime === undefined ? undefined : gte(photos.takenAt, new Date(startTime)),
    endTime === undefined ? undefined : lt(photos.takenAt, new Date(endTime)),
  );
}

/** What a member of a device group sees: its devices, of some only certain sources. */
function isVisible(scope: DeviceScope): SQL | undefined {
  if (scope.isAll) return undefined;
  const whole = scope.ids().filter((id) => scope.sources(id) === null);
  const parts = scope.ids().flatMap((id) => {
    const sources = [...(scope.sources(id) ?? [])];
    return sources.length > 0 ? [and(eq(photos.deviceId, id), inArray(photos.source, sources))] : [];
  });
  return or(sql`false`, whole.length > 0 ? inArray(photos.deviceId, whole) : undefined, ...parts);
}

export const photoOf = ({ workgroup: _workgroup, fileKey: _key, ...row }: PhotoRow): Photo => ({
  ...row,
  takenAt: row.takenAt.getTime(),
  storedAt: row.storedAt.getTime(),
});
