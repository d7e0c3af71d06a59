import type { GlanceCause, GlanceEnergy, PlantGlance } from '@albedo/contract/glance/glance.schema';
import type { Incident } from '@albedo/contract/incidents/incidents.schema';
import type { TFunction } from 'i18next';
import type { Mark } from '../../ui/status/level-icon.tsx';
import { formatClock, formatDay, wallTime } from '../../ui/time-range/zoned-time.ts';
import { formatDecimal } from '../../ui/units/numbers.ts';
import { type ShownValue, shownValue } from '../../ui/units/units.ts';
import { incidentText } from '../incidents/incident-text.ts';

const DAY_MS = 86_400_000;

/** From this ratio on a plant produces what its light allows. The server uses the same limit. */
export const AS_EXPECTED = 0.97;

export interface GlanceFacts {
  now: number;
  /** The display name of a source of the plant. */
  nameOf: (source: string) => string;
  /** Why there is no ratio, as a sentence; omitted if there is no room for it. */
  whyOf?: (reason: NonNullable<GlanceEnergy['reason']>) => string;
  /** The open incidents. */
  byId: ReadonlyMap<string, Incident>;
}

/** `14:02` today, `Thursday` this week, `16 Nov` this year, else `16 Nov 2025`, as part of a sentence, in the zone. */
export function sinceText(t: TFunction, at: number, zone: string, now: number): string {
  if (formatDay(at, zone) === formatDay(now, zone))
    return t('glance.since.clock', { when: formatClock(at, zone) });
  if (now - at < 6 * DAY_MS) return t('glance.since.weekday', { when: formatDay(at, zone, 'weekday') });
  const isThisYear = wallTime(at, zone).year === wallTime(now, zone).year;
  return t('glance.since.date', { when: formatDay(at, zone, isThisYear ? 'dayOfYear' : 'day') });
}

/** What is wrong, as part of a sentence: `Inverter 7 has lost a string at input 2 (33 % less there) since Thursday`. */
export function causeText(
  t: TFunction,
  cause: GlanceCause,
  { name, zone }: Pick<PlantGlance, 'name' | 'zone'>,
  { now, nameOf, byId }: GlanceFacts,
): string {
  const { kind, source, subject, since, percent, input } = cause;
  const incident = cause.incident === null ? undefined : byId.get(cause.incident);
  const facts = {
    who: subject ?? (source === null ? name : nameOf(source)),
    share: percentText(percent ?? 0),
    input: input ?? '',
  };
  const text =
    kind === 'offline' || kind === 'incident'
      ? incident
        ? incidentText(t, incident)
        : facts.who
      : t(kind === 'string' ? 'glance.string' : `plants.finding.${kind}`, facts);
  return since === null ? text : `${text} ${sinceText(t, since, zone, now)}`;
}

const percentText = (percent: number): string => `${formatDecimal(Math.round(percent), 0)} %`;

/** The mark for the state of a plant. */
export function markOf({ state, causes }: Pick<PlantGlance, 'state' | 'causes'>): Mark {
  if (state === 'silent') return 'unknown';
  if (state !== 'under') return state === 'well' ? 'ok' : 'waiting';
  return causes.some(({ kind }) => GRAVE.includes(kind)) ? 'danger' : 'warning';
}
const GRAVE: readonly GlanceCause['kind'][] = ['standing', 'fault', 'silent', 'offline'];

/** A figure and the words that follow it. */
export interface Headline extends ShownValue {
  text: string;
  /** What is wrong, or that nothing is: a sentence of its own or the end of `text`. */
  tail: string;
}

/** The main number of a plant and its sentence: `3 %` `under what the light would give today: …`. */
export function headlineOf(t: TFunction, plant: PlantGlance, facts: GlanceFacts): Headline {
  const { state, power, energy, causes, zone } = plant;
  const tail = tailOf(t, plant, facts);
  const ratio = energy?.ratio ?? null;
  if (state === 'silent') {
    const at = power.at;
    const text =
      at === null ? t('glance.never') : t('glance.silent', { since: sinceText(t, at, zone, facts.now) });
    return { number: '–', unit: '', text, tail };
  }
  if (energy && ratio !== null) return { ...shareOf(ratio), text: againstLight(t, energy), tail };
  const why =
    state === 'arriving'
      ? t('glance.arriving')
      : [t('glance.unknown'), energy?.reason ? facts.whyOf?.(energy.reason) : ''].filter(Boolean).join(' ');
  return {
    ...shownValue(power.value, 'W'),
    text: t('glance.now'),
    tail: causes.length > 0 ? tail : why,
  };
}

/** The missing share, `3 %`, below the limit; else the share it produces, `99 %`. */
export const shareOf = (ratio: number): ShownValue => ({
  number: formatDecimal(Math.round(Math.abs(ratio < AS_EXPECTED ? 1 - ratio : ratio) * 100), 0),
  unit: '%',
});

/** What the share is compared with: `under what the light would give today`. */
const againstLight = (t: TFunction, { ratio, isToday }: GlanceEnergy): string =>
  t(`glance.${(ratio ?? 1) < AS_EXPECTED ? 'under' : 'of'}.${isToday ? 'today' : 'before'}`);

function tailOf(t: TFunction, plant: PlantGlance, facts: GlanceFacts): string {
  const { causes, state, isDark } = plant;
  const [first] = causes;
  if (first) {
    const more = causes.length - 1;
    const text = causeText(t, first, plant, facts);
    return more > 0 ? `${text} ${t('glance.more', { count: more })}` : text;
  }
  if (state === 'under') return t('glance.noCause');
  return state === 'well' ? t(isDark ? 'glance.wellDark' : 'glance.well') : '';
}
