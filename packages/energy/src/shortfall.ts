/** Hourly means of a plant over some weeks, oldest first; all lists are as long as `day`. */
export interface PlantHours {
  /** Number of the local day of each hour, rising. */
  day: readonly number[];
  /** AC power of each inverter, W. Gaps: null. */
  powerW: readonly (readonly (number | null)[])[];
  /** Irradiance in the plane, W/m². Gaps: null. A plant without a sensor has none. */
  irradianceWm2: readonly (number | null)[] | null;
}

export interface Shortfall {
  /** Place of the inverter; null for the plant as a whole. */
  inverter: number | null;
  /** Part of the expected that is missing, 0 to 1, mean of its days. */
  part: number;
  /** First day of it. */
  sinceDay: number;
  /** What was expected comes from the irradiance, or from the other inverters. */
  by: 'irradiance' | 'peers';
}

/** Light that counts; below it inverters start and sensors err. W/m². */
const LIGHT_WM2 = 100;
const HOURS_OF_A_DAY = 3;
const DAYS_TO_KNOW = 6;
/** What is worth a sentence: against the other inverters, which see the same sky, less than against a sensor. */
const LEAST = { peers: 0.06, irradiance: 0.15 };
/** A sensor that shows more than this at its darkest hour hangs. W/m². */
const NIGHT_WM2 = 20;
/** The good days of an inverter say what it can do: three days of four may be worse. */
const GOOD = 0.75;

/**
 * What inverters give less than they did on their good days under the same light, and since when.
 *
 * Each day has one figure for each inverter, energy by irradiation over the hours that have both (a part of the
 * performance ratio of IEC 61724-1), compared with its own good days and with the same figure of the others. So the
 * size of inverters does not matter, and what all of them share, such as heat, is not blamed on one.
 * Gaps: hours and days without values decide nothing. The last day of the list has to be complete.
 */
export function findShortfalls(hours: PlantHours): Shortfall[] {
  const count = hours.powerW.length;
  const reference = referenceOf(hours);
  if (!reference) return [];
  const days = [...new Set(hours.day)];
  const yields = hours.powerW.map((powerW) => dailyYields(hours.day, days, powerW, reference.light));
  const quality = yields.map((one) => relative(one));
  const common = days.map((_, d) => middle(quality.map((one) => one[d] ?? null)));
  const own = quality.map((one) => shortfallOf(one, count > 1 ? common : null, reference.by));
  const low = own.filter((one) => one?.byIrradiance);
  if (reference.by === 'irradiance' && count > 1 && low.length > count * 0.6) {
    const whole = shortfallOf(common, null, 'irradiance');
    if (whole)
      return [{ inverter: null, part: whole.part, sinceDay: days[whole.since] ?? 0, by: 'irradiance' }];
  }
  return own.flatMap((one, inverter) =>
    one
      ? [
          {
            inverter,
            part: one.part,
            sinceDay: days[one.since] ?? 0,
            by: one.byIrradiance ? 'irradiance' : 'peers',
          },
        ]
      : [],
  );
}

/**
 * What each inverter makes of the light in its plane on its good days, W for each W/m²; null where too little is known,
 * and without a sensor.
 */
export function goodYields(hours: PlantHours): (number | null)[] {
  const reference = referenceOf(hours);
  if (reference?.by !== 'irradiance') return hours.powerW.map(() => null);
  const days = [...new Set(hours.day)];
  return hours.powerW.map((powerW) => goodOf(dailyYields(hours.day, days, powerW, reference.light)));
}

/** The light of each hour: the sensor's, or what the middle inverter made of it. */
function referenceOf({ day, powerW, irradianceWm2 }: PlantHours) {
  if (irradianceWm2?.some((one) => one !== null)) {
    const hanging = new Set(
      [...Map.groupBy(day.keys(), (i) => day[i] as number)]
        .filter(([, hours]) => Math.min(...hours.map((i) => irradianceWm2[i] ?? 0)) > NIGHT_WM2)
        .map(([one]) => one),
    );
    const light = irradianceWm2.map((one, i) =>
      one !== null && one > LIGHT_WM2 && !hanging.has(day[i] as number) ? one : null,
    );
    return { light, by: 'irradiance' as const };
  }
  if (powerW.length < 3) return null;
  const middles = day.map((_, i) => middle(powerW.map((one) => one[i] ?? null)));
  const full = Math.max(0, ...middles.map((one) => one ?? 0));
  return {
    light: middles.map((one) => (one !== null && one > full * 0.08 ? one : null)),
    by: 'peers' as const,
  };
}

function dailyYields(
  day: readonly number[],
  days: readonly number[],
  powerW: readonly (number | null)[],
  light: readonly (number | null)[],
): (number | null)[] {
  const sums = new Map(days.map((one) => [one, { power: 0, light: 0, hours: 0 }]));
  day.forEach((one, i) => {
    const sum = sums.get(one);
    const [p, g] = [powerW[i] ?? null, light[i] ?? null];
    if (!sum || p === null || g === null) return;
    sum.power += p;
    sum.light += g;
    sum.hours += 1;
  });
  return days.map((one) => {
    const sum = sums.get(one);
    return sum && sum.hours >= HOURS_OF_A_DAY ? sum.power / sum.light : null;
  });
}

/** Null where too few days are known. */
function goodOf(yields: readonly (number | null)[]): number | null {
  const known = yields.filter((one) => one !== null).sort((a, b) => a - b);
  return known.length < DAYS_TO_KNOW ? null : (known[Math.floor((known.length - 1) * GOOD)] ?? null);
}

/** As parts of the good days; all null where too few are known. */
function relative(yields: readonly (number | null)[]): (number | null)[] {
  const good = goodOf(yields);
  return yields.map((one) => (one === null || good === null || good <= 0 ? null : one / good));
}

/** Days on which an inverter is low, from the last one back; `since` is a place in the list of days. */
function shortfallOf(
  quality: readonly (number | null)[],
  common: readonly (number | null)[] | null,
  by: 'irradiance' | 'peers',
): { part: number; since: number; byIrradiance: boolean } | null {
  const against = quality.map((one, d) => {
    const others = common?.[d] ?? null;
    return one === null || others === null || others <= 0 ? null : one / others;
  });
  const known = quality.flatMap((one, d) => (one === null ? [] : [d]));
  const newest = known.slice(-2);
  if (newest.length < 2) return null;
  const isLow = (values: readonly (number | null)[], d: number, least: number) =>
    (values[d] ?? 1) < 1 - least;
  const byIrradiance = by === 'irradiance' && newest.every((d) => isLow(quality, d, LEAST.irradiance));
  const byPeers = common !== null && newest.every((d) => isLow(against, d, LEAST.peers));
  if (!byIrradiance && !byPeers) return null;
  const values = byIrradiance ? quality : against;
  const drop = 1 - ((values[newest[0] as number] ?? 1) + (values[newest[1] as number] ?? 1)) / 2;
  let since = newest[0] as number;
  for (const d of known.toReversed()) {
    if (!isLow(values, d, drop / 2)) break;
    since = d;
  }
  const run = known.filter((d) => d >= since);
  // It may have begun in the middle of its first day.
  const whole = run.length > 2 ? run.slice(1) : run;
  const part = whole.reduce((sum, d) => sum + 1 - (values[d] ?? 1), 0) / whole.length;
  return { part, since, byIrradiance };
}

/** The middle one; of two the larger, since what both lack is not known of either. Null where there is none. */
function middle(values: readonly (number | null)[]): number | null {
  const known = values.filter((one) => one !== null).sort((a, b) => a - b);
  return known[Math.floor(known.length / 2)] ?? null;
}
