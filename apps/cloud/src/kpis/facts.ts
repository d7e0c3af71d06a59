import { type Entity, isDated } from '@albedo/contract/entities/entities.schema';
import { holdingOn, metaAt } from '@albedo/contract/entities/meta-at';
import { isTimeZone, wallTime } from '@albedo/contract/time/zoned-time';
import { conversion } from './kpi-definition.ts';

const DAY_MS = 86_400_000;
/** `61.6`, `61.6 kWp`: a number that may say its unit. */
const NUMBER = /^\s*([-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)\s*(\S.*)?$/i;
const ZONE_KEYS = ['timezone', 'Timezone', 'timeZone', 'zone'];

export const dayOf = (ms: number, zone: string): string => {
  const { year, month, day } = wallTime(ms, zone);
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
};

/** The number that a fact is, in `units`; null where it is none, or in a unit that does not go with them. */
export function numberOf(fact: unknown, units: string): number | null {
  if (typeof fact === 'number') return Number.isFinite(fact) ? fact : null;
  const [, digits, unit] = (typeof fact === 'string' && NUMBER.exec(fact)) || [];
  if (digits === undefined) return null;
  const factor = unit === undefined || units === '' ? 1 : conversion(unit.trim(), units);
  return factor === null ? null : Number(digits) * factor;
}

/**
 * A fact as it held from `from` to `to` (epoch ms): where it changed with a date, the mean over the days of the zone.
 * Undefined where the entity does not say it.
 */
export function factOver(
  { meta }: Pick<Entity, 'meta'>,
  key: string,
  units: string,
  { from, to, zone }: { from: number; to: number; zone: string },
): number | null | undefined {
  const at = (day: string) => {
    const facts = metaAt(meta, day);
    return Object.hasOwn(facts, key) ? numberOf(facts[key], units) : undefined;
  };
  const lastDay = dayOf(to - 1, zone);
  if (!Array.isArray(meta[key])) return at(lastDay);
  let [sum, days] = [0, 0];
  for (let ms = from; ms < to; ms += DAY_MS) {
    const value = at(dayOf(ms, zone));
    if (value === null || value === undefined) continue;
    sum += value;
    days++;
  }
  return days > 0 ? sum / days : at(lastDay);
}

/** The day since which a fact holds as it does at `to` (epoch ms); null where it always held. */
export function factSince(
  { meta }: Pick<Entity, 'meta'>,
  key: string,
  { to, zone }: { to: number; zone: string },
): string | null {
  const value = Object.hasOwn(meta, key) ? meta[key] : undefined;
  const from = isDated(value) ? holdingOn(value, dayOf(to - 1, zone))?.from : null;
  return from?.slice(0, 10) ?? null;
}

/** The zone that an entity says itself. */
export function zoneIn({ meta }: Pick<Entity, 'meta'>, day: string): string | null {
  const facts = metaAt(meta, day);
  for (const key of ZONE_KEYS) {
    const zone = facts[key];
    if (typeof zone === 'string' && isTimeZone(zone)) return zone;
  }
  return null;
}
