import type { Postgres } from '@albedo/postgres/postgres';
import { type SQL, sql } from 'drizzle-orm';
import type { DeviceScope } from '../access/device-scope.ts';
import { EXAMPLES } from '../house/finding.ts';
import { gaps, quarantine } from './completeness.tables.ts';

/** An affected device, and how many devices are affected in all. */
interface DeviceRow {
  device: string;
  name: string;
  /** Events; null if nobody knows how many. */
  events: number | null;
  at: number;
  devices: number;
}

interface Since {
  workgroup: string;
  scope: DeviceScope;
  /** Epoch ms. */
  since: number;
}

/** Missing data of a workgroup: one statement each for all of its devices. */
export class CompletenessFindingsStore {
  readonly #postgres: Postgres;

  constructor(postgres: Postgres) {
    this.#postgres = postgres;
  }

  /** Devices with gaps reported since then, newest first. Messages that were set aside are counted by `setAside`. */
  gaps({ workgroup, scope, since }: Since): Promise<DeviceRow[]> {
    return this.#devices(sql`
      select g.device_id, sum(g.events)::float8 as events, max(g.reported_at)::float8 as at from ${gaps} g
      join devices d on d.id = g.device_id and d.workgroup = ${workgroup} ${visible(scope, sql`g.source`)}
      where g.reported_at >= ${since} and g.cause <> 'set_aside' group by g.device_id`);
  }

  /**
   * Devices whose messages were set aside since then, newest first. The source of such a message is unknown, so callers who
   * see only some of a device's sources see none of them.
   */
  setAside({ workgroup, scope, since }: Since): Promise<DeviceRow[]> {
    return this.#devices(sql`
      select q.device_id, sum(greatest(jsonb_array_length(q.msg_ids), 1))::float8 as events,
        (extract(epoch from max(q.received_at)) * 1000)::float8 as at from ${quarantine} q
      join devices d on d.id = q.device_id and d.workgroup = ${workgroup} ${visible(scope, null)}
      where q.received_at >= ${new Date(since).toISOString()} group by q.device_id`);
  }

  async #devices(rowsByDevice: SQL): Promise<DeviceRow[]> {
    const { rows } = (await this.#postgres.db.execute(sql`
      with found as (${rowsByDevice})
      select found.device_id as device, d.name, found.events, found.at, (count(*) over ())::int as devices
      from found join devices d on d.id = found.device_id
      order by found.at desc, d.name limit ${EXAMPLES}`)) as unknown as { rows: DeviceRow[] };
    return rows;
  }
}

/** Narrows to the devices of the scope. With `source` null, only devices count whose sources are all in it. */
function visible(scope: DeviceScope, source: SQL | null): SQL {
  if (scope.isAll) return sql``;
  const seen = scope
    .ids()
    .map((id) => ({ id, sources: [...(scope.sources(id) ?? [])], all: scope.sources(id) === null }));
  const isSeen = source ? sql`(s."all" or s.sources @> to_jsonb(${source}))` : sql`s."all"`;
  return sql`join jsonb_to_recordset(${JSON.stringify(seen)}::jsonb) as s(id uuid, sources jsonb, "all" boolean)
    on s.id = d.id and ${isSeen}`;
}
