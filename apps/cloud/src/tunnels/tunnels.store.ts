import type { Tunnel, TunnelEnd } from '@albedo/contract/tunnels/tunnels.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { and, count, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import { tunnels } from './tunnels.tables.ts';

export type TunnelRow = typeof tunnels.$inferSelect;
type NewRow = Pick<
  TunnelRow,
  'workgroup' | 'deviceId' | 'userId' | 'by' | 'kind' | 'host' | 'port' | 'tokenHash' | 'label' | 'endsAt'
>;

const LISTED = 50;

/** Tunnels, in SQL. */
export class TunnelsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  async open(of: NewRow): Promise<TunnelRow> {
    const [row] = await this.#postgres.db.insert(tunnels).values(of).returning();
    if (!row) throw new Error('The database returned no row for a new tunnel.');
    return row;
  }

  async countOpen(deviceId: string): Promise<number> {
    const isOpen = and(
      eq(tunnels.deviceId, deviceId),
      isNull(tunnels.endedAt),
      gt(tunnels.endsAt, new Date()),
    );
    const [row] = await this.#postgres.db.select({ open: count() }).from(tunnels).where(isOpen);
    return row?.open ?? 0;
  }

  byToken(tokenHash: string): Promise<TunnelRow | undefined> {
    return this.#one(eq(tunnels.tokenHash, tokenHash));
  }

  byLabel(label: string): Promise<TunnelRow | undefined> {
    return this.#one(eq(tunnels.label, label));
  }

  byId(id: string): Promise<TunnelRow | undefined> {
    return this.#one(eq(tunnels.id, id));
  }

  /** Newest first. */
  async list(workgroup: string, deviceId: string): Promise<Tunnel[]> {
    const rows = await this.#postgres.db
      .select()
      .from(tunnels)
      .where(and(eq(tunnels.workgroup, workgroup), eq(tunnels.deviceId, deviceId)))
      .orderBy(desc(tunnels.openedAt))
      .limit(LISTED);
    return rows.map(tunnelOf);
  }

  /** Undefined where it had ended before. */
  async end(id: string, end: TunnelEnd): Promise<TunnelRow | undefined> {
    const [row] = await this.#endWhere(eq(tunnels.id, id), end);
    return row;
  }

  /** Those that were open. */
  endAll(workgroup: string, end: TunnelEnd): Promise<TunnelRow[]> {
    return this.#endWhere(and(eq(tunnels.workgroup, workgroup), gt(tunnels.endsAt, new Date())), end);
  }

  /** Those that were opened before `since`, and that nothing ever connected through. */
  endUnattached(since: Date): Promise<TunnelRow[]> {
    return this.#endWhere(
      and(isNull(tunnels.attachedAt), lt(tunnels.openedAt, since), gt(tunnels.endsAt, new Date())),
      'unattached',
    );
  }

  /** Something connects through it. */
  async attached(id: string): Promise<void> {
    await this.#postgres.db
      .update(tunnels)
      .set({ attachedAt: new Date() })
      .where(and(eq(tunnels.id, id), isNull(tunnels.attachedAt)));
  }

  /** The page gets a token of its own in place of the one in the address; false where that was done before. */
  async enter(id: string, tokenHash: string, next: string): Promise<boolean> {
    const isMeant = and(eq(tunnels.id, id), eq(tunnels.tokenHash, tokenHash));
    const rows = await this.#postgres.db
      .update(tunnels)
      .set({ tokenHash: next })
      .where(isMeant)
      .returning({ id: tunnels.id });
    return rows.length > 0;
  }

  /** A connection is over. */
  async carried(id: string, down: number, up: number): Promise<void> {
    await this.#postgres.db
      .update(tunnels)
      .set({
        connections: sql`${tunnels.connections} + 1`,
        bytesDown: sql`${tunnels.bytesDown} + ${down}`,
        bytesUp: sql`${tunnels.bytesUp} + ${up}`,
      })
      .where(eq(tunnels.id, id));
  }

  async #one(where: ReturnType<typeof eq>): Promise<TunnelRow | undefined> {
    const [row] = await this.#postgres.db.select().from(tunnels).where(where);
    return row;
  }

  #endWhere(where: ReturnType<typeof and>, end: TunnelEnd): Promise<TunnelRow[]> {
    return this.#postgres.db
      .update(tunnels)
      .set({ endedAt: new Date(), end })
      .where(and(where, isNull(tunnels.endedAt)))
      .returning();
  }
}

/** One whose time is up is over, whether somebody wrote it down or not. */
export function tunnelOf(row: TunnelRow): Tunnel {
  const {
    userId: _user,
    workgroup: _workgroup,
    tokenHash: _token,
    label: _label,
    attachedAt: _attached,
    ...rest
  } = row;
  const endsAt = row.endsAt.getTime();
  const isOver = row.endedAt === null && endsAt <= Date.now();
  return {
    ...rest,
    openedAt: row.openedAt.getTime(),
    endsAt,
    endedAt: row.endedAt?.getTime() ?? (isOver ? endsAt : null),
    end: row.end ?? (isOver ? 'time' : null),
  };
}
