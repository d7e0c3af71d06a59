import type { FieldRole } from '@albedo/contract/field-roles/field-roles';
import type { RoledLatest } from '../field-roles/field-roles.service.ts';
import type { TelemetryReader, WindowStream } from '../telemetry/telemetry.service.ts';

/** Counters that go on for ever, and those that begin anew each day. */
export const LIFELONG = [
  'energyTotal',
  'gridEnergyImported',
  'gridEnergyExported',
] as const satisfies FieldRole[];
export const OF_DAYS = ['energyToday'] as const satisfies FieldRole[];
type CountedRole = (typeof LIFELONG)[number] | (typeof OF_DAYS)[number];

/** More than so many times what the rating allows is doubted. */
const ABOVE_RATING = 1.2;

/** What a counter counted today, Wh. */
export interface CountedToday {
  /** Without what is doubted. */
  wh: number;
  /** More than the rating of the plant allows in its time. */
  doubtedWh: number;
}

export type CountedRoles = ReadonlyMap<FieldRole, CountedToday>;

interface CountersAsked {
  roles: readonly CountedRole[];
  day: { from: number; to: number };
  now: number;
  ratingsW: readonly (number | null)[];
}

/**
 * What the counters of these roles counted in a day, in the order of `sources`. `ratingsW`: what can be made at most, where that is
 * known; energy from the grid is not bound by it.
 */
export async function readCounters(
  reader: TelemetryReader,
  sources: readonly RoledLatest[],
  { roles, day, now, ratingsW }: CountersAsked,
  signal?: AbortSignal,
): Promise<CountedRoles[]> {
  const found = sources.map(() => new Map<FieldRole, CountedToday>());
  const all = roles.flatMap((role) =>
    [...sources.keys()].filter((i) => sources[i]?.places[role]).map((i) => ({ i, role })),
  );
  const isOfDays = (role: CountedRole) => (OF_DAYS as readonly CountedRole[]).includes(role);
  const groups = Map.groupBy(all, ({ i, role }) => `${isOfDays(role)} ${sources[i]?.table}`);
  await Promise.all(
    [...groups.values()].map(async (some) => {
      const [first] = some;
      const table = sources[first?.i ?? 0]?.table ?? '';
      const streams = some.map(({ i, role }): WindowStream => {
        const { device, source, places } = sources[i] as RoledLatest;
        const factor = Math.abs(places[role]?.factor ?? 1);
        const ratingW = role.startsWith('energy') ? (ratingsW[i] ?? null) : null;
        const mostPerHour = ratingW === null ? null : (ratingW * ABOVE_RATING) / factor;
        return { device, source, field: places[role]?.field ?? '', factor, offset: 0, mostPerHour };
      });
      const windows = await reader.windows(
        {
          ...{ table, dateField: 'event_time', streams, operator: 'difference', percent: 50 },
          edges: [day.from, Math.max(day.from + 1, Math.min(now, day.to))],
          ...(first && isOfDays(first.role) ? { restartsAt: [day.from] } : {}),
          ...{ rollsOverAt: null, states: [], above: null, below: null, slice: null },
        },
        signal,
      );
      some.forEach(({ i, role }, k) => {
        const wh = windows[k]?.values[0] ?? null;
        const doubtedWh = windows[k]?.doubted?.[0] ?? 0;
        if (wh !== null) found[i]?.set(role, { wh: Math.max(0, wh - doubtedWh), doubtedWh });
      });
    }),
  );
  return found;
}
