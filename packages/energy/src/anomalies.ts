import { hampelOutliers, median, tukeyFences, zScores } from './statistics.ts';

/** Rules after which a day of energy is doubted. */
export const ANOMALY_RULES = [
  'missing',
  'zero',
  'stuck',
  'too_high',
  'counter_reset',
  'counter_rollover',
  'counter_outlier',
  'method_mismatch',
  'peer_outlier',
  'statistical',
  'underperformance',
] as const;
export type AnomalyRule = (typeof ANOMALY_RULES)[number];
export type AnomalySeverity = 'info' | 'minor' | 'major';

export interface Anomaly<Day> {
  day: Day;
  /** Id of the source or device. */
  subject: string;
  rule: AnomalyRule;
  /** What was seen, and the limit or what was expected, in `unit`; null where a rule has none. */
  value: number | null;
  expected: number | null;
  unit: 'kWh' | 'kWh/kWp' | '1' | null;
  severity: AnomalySeverity;
}

/** What is known of one day of one subject. Units: kWh, kWh/m². Gaps: null. */
export interface EnergyDay<Day> {
  day: Day;
  energyKwh: number | null;
  /** Light in the planes that day. */
  irradiationKwhM2?: number | null;
  /** It was measured flat on the ground, where it may be less than in the planes: no limit of what they give. */
  isHorizontal?: boolean;
  /** What the weather let expect; not that of a clear sky. */
  expectedKwh?: number | null;
  /** The same day by two methods. */
  totalEnergyKwh?: number | null;
  powerCurveKwh?: number | null;
  /** What the arithmetic of counters found on that day (`countGains`). */
  counter?: {
    restarts: readonly { kind: 'reset' | 'rollover'; before: number; value: number }[];
    excluded: readonly { reason: 'dip' | 'spike'; value: number }[];
  } | null;
  /** Hours of the day; 24 unless clocks change. */
  hours?: number;
}

export interface AnomalySubject<Day> {
  subject: string;
  dcKw: number | null;
  acKw: number | null;
  /** Subjects with the same word lie alike and see the same sky; null has no peers. */
  orientation: string | null;
  /** Oldest first, one for each day of the time asked for, the same days for all. */
  days: readonly EnergyDay<Day>[];
}

export interface AnomalyLimits {
  /** Light of a day from which 0 kWh are a fault, kWh/m². */
  zeroFromKwhM2: number;
  /** Days with the very same value. */
  stuckDays: number;
  /** Energy over what the light gives to the rating. */
  mostOfReference: number;
  /** Two methods may differ by so much of the larger. */
  methodDifference: number;
  /** Of the middle of the peers: under the first to be watched, under the second to be reported. */
  peerWatch: number;
  peerReport: number;
  /** Peers, itself included, that make a middle. */
  fewestPeers: number;
  hampelWindow: number;
  hampelLimit: number;
  /** Standard deviations; null leaves this test out. */
  zLimit: number | null;
  /** Of the expectation, on so many days in a row that are not cloudy. */
  majorPart: number;
  majorDays: number;
  minorPart: number;
  minorDays: number;
  /** Days under this part of the brightest tenth of the time are cloudy, since expectations err there. */
  cloudyPart: number;
}

export const USUAL_LIMITS: AnomalyLimits = {
  zeroFromKwhM2: 1,
  stuckDays: 3,
  mostOfReference: 1.05,
  methodDifference: 0.1,
  peerWatch: 0.85,
  peerReport: 0.8,
  fewestPeers: 3,
  hampelWindow: 5,
  hampelLimit: 3,
  zLimit: null,
  majorPart: 0.6,
  majorDays: 3,
  minorPart: 0.8,
  minorDays: 7,
  cloudyPart: 0.3,
};

/**
 * Days of energy that are doubted, and why; by day in the order of the days, then by subject and rule.
 *
 * A subject's result does not depend on the order of the subjects. The peers of a subject are those of the same
 * orientation with a rating and a value on that day. Sources: the rules of our reports, with limits by choice.
 */
export function findAnomalies<Day>(
  subjects: readonly AnomalySubject<Day>[],
  limits: Partial<AnomalyLimits> = {},
): Anomaly<Day>[] {
  const rules = { ...USUAL_LIMITS, ...limits };
  const middles = peerMiddles(subjects, rules.fewestPeers);
  const anySeen = (subjects[0]?.days ?? []).map((_, i) =>
    subjects.some(({ days }) => energyOf(days[i]) !== null),
  );
  const found = subjects.flatMap((subject) => {
    const single = subject.days.flatMap((day, i) => [
      ...missing(day, anySeen[i] ?? false, subjects.length),
      ...zero(day, rules),
      ...tooHigh(day, subject, rules),
      ...ofCounter(day),
      ...methodMismatch(day, rules),
      ...peerOutlier(day, subject, middles(subject, i), rules),
    ]);
    const overTime = [
      ...stuck(subject, rules),
      ...statistical(subject, rules),
      ...underperforming(subject, rules),
    ];
    return [...single, ...overTime].map((anomaly) => ({ ...anomaly, subject: subject.subject }));
  });
  const place = new Map((subjects[0]?.days ?? []).map(({ day }, i) => [day, i]));
  const rank = new Map(ANOMALY_RULES.map((rule, i) => [rule, i]));
  return found.sort(
    (a, b) =>
      (place.get(a.day) ?? 0) - (place.get(b.day) ?? 0) ||
      (a.subject < b.subject ? -1 : a.subject > b.subject ? 1 : 0) ||
      (rank.get(a.rule) ?? 0) - (rank.get(b.rule) ?? 0),
  );
}

type Found<Day> = Omit<Anomaly<Day>, 'subject'>;

const energyOf = (day: EnergyDay<unknown> | undefined) => day?.energyKwh ?? null;

/** Nothing is known of a source, though the sun or another one says that there was a day. */
function missing<Day>(day: EnergyDay<Day>, anySeen: boolean, subjects: number): Found<Day>[] {
  if (day.energyKwh !== null) return [];
  const severity = anySeen || subjects === 1 ? 'minor' : 'info';
  return [found(day, 'missing', null, day.expectedKwh ?? null, 'kWh', severity)];
}

function zero<Day>(day: EnergyDay<Day>, { zeroFromKwhM2 }: AnomalyLimits): Found<Day>[] {
  const light = day.irradiationKwhM2 ?? null;
  if (day.energyKwh !== 0 || light === null || light <= zeroFromKwhM2) return [];
  return [found(day, 'zero', 0, day.expectedKwh ?? null, 'kWh', 'major')];
}

/** More than the light can give, or than the inverter can in all hours of the day. */
function tooHigh<Day>(
  day: EnergyDay<Day>,
  { dcKw, acKw }: AnomalySubject<Day>,
  { mostOfReference }: AnomalyLimits,
): Found<Day>[] {
  const { energyKwh, irradiationKwhM2 = null, hours = 24, isHorizontal = false } = day;
  if (energyKwh === null) return [];
  const byLight =
    dcKw && irradiationKwhM2 !== null && !isHorizontal ? dcKw * irradiationKwhM2 * mostOfReference : null;
  const byRating = acKw ? acKw * hours : dcKw ? dcKw * hours : null;
  const most = Math.min(byLight ?? Number.POSITIVE_INFINITY, byRating ?? Number.POSITIVE_INFINITY);
  if (energyKwh <= most) return [];
  return [found(day, 'too_high', energyKwh, most, 'kWh', 'major')];
}

/** What the arithmetic of counters set right is told, since a person may know better. */
function ofCounter<Day>(day: EnergyDay<Day>): Found<Day>[] {
  if (!day.counter) return [];
  const { restarts, excluded } = day.counter;
  const restarted = (kind: 'reset' | 'rollover', rule: AnomalyRule, severity: AnomalySeverity) => {
    const restart = restarts.find((one) => one.kind === kind);
    return restart ? [found(day, rule, restart.value, restart.before, null, severity)] : [];
  };
  const [outlier] = excluded;
  return [
    ...restarted('reset', 'counter_reset', 'minor'),
    ...restarted('rollover', 'counter_rollover', 'info'),
    ...(outlier ? [found(day, 'counter_outlier', outlier.value, null, null, 'info' as const)] : []),
  ];
}

function methodMismatch<Day>(day: EnergyDay<Day>, { methodDifference }: AnomalyLimits): Found<Day>[] {
  const [total, curve] = [day.totalEnergyKwh ?? null, day.powerCurveKwh ?? null];
  if (total === null || curve === null) return [];
  const larger = Math.max(Math.abs(total), Math.abs(curve));
  if (larger === 0 || Math.abs(total - curve) / larger <= methodDifference) return [];
  return [found(day, 'method_mismatch', total, curve, 'kWh', 'minor')];
}

/** Yield of a day, kWh/kWp; null without a rating or a value. */
const yieldOf = (day: EnergyDay<unknown> | undefined, dcKw: number | null) =>
  day?.energyKwh === null || day?.energyKwh === undefined || !dcKw ? null : day.energyKwh / dcKw;

/** The middle yield of those that lie alike, on a day; null with too few of them. */
function peerMiddles<Day>(subjects: readonly AnomalySubject<Day>[], fewest: number) {
  const alike = Map.groupBy(
    subjects.filter(({ orientation }) => orientation !== null),
    ({ orientation }) => orientation,
  );
  const middles = new Map(
    [...alike].map(([orientation, peers]) => [
      orientation,
      (peers[0]?.days ?? []).map((_, i) => {
        const yields = peers.map(({ days, dcKw }) => yieldOf(days[i], dcKw)).filter((one) => one !== null);
        return yields.length >= fewest ? median(yields) : null;
      }),
    ]),
  );
  return ({ orientation }: AnomalySubject<Day>, i: number) => middles.get(orientation)?.[i] ?? null;
}

function peerOutlier<Day>(
  day: EnergyDay<Day>,
  { dcKw }: AnomalySubject<Day>,
  middle: number | null,
  { peerWatch, peerReport }: AnomalyLimits,
): Found<Day>[] {
  const own = yieldOf(day, dcKw);
  if (own === null || middle === null || !(middle > 0) || own / middle >= peerWatch) return [];
  const severity = own / middle < peerReport ? 'minor' : 'info';
  return [found(day, 'peer_outlier', own, middle, 'kWh/kWp', severity)];
}

/** The very same value day after day; 0 is told by its own rule. */
function stuck<Day>({ days }: AnomalySubject<Day>, { stuckDays }: AnomalyLimits): Found<Day>[] {
  return runsOf(days, (day, before) => day.energyKwh !== null && day.energyKwh === before?.energyKwh)
    .filter((run) => run.length + 1 >= stuckDays)
    .flat()
    .filter((day) => day.energyKwh !== 0)
    .map((day) => found(day, 'stuck', day.energyKwh, null, 'kWh', 'major'));
}

/**
 * A value that is unusual among its neighbours in time and among all, judged by energy through light where it is known:
 * a cloudy day is no fault.
 */
function statistical<Day>({ days }: AnomalySubject<Day>, limits: AnomalyLimits): Found<Day>[] {
  const parts = days.map(({ energyKwh, irradiationKwhM2, expectedKwh }) => {
    const reference = expectedKwh ?? irradiationKwhM2 ?? null;
    return energyKwh === null || reference === null || !(reference > 0) ? null : energyKwh / reference;
  });
  const fences = tukeyFences(parts);
  const nearby = hampelOutliers(parts, limits.hampelWindow, limits.hampelLimit);
  const scores = limits.zLimit === null ? [] : zScores(parts);
  const middle = median(parts);
  return days.flatMap((day, i) => {
    const part = parts[i] ?? null;
    if (part === null || !fences) return [];
    const isFar = part < fences.low || part > fences.high;
    const isScored = Math.abs(scores[i] ?? 0) > (limits.zLimit ?? Number.POSITIVE_INFINITY);
    if (!isScored && !(isFar && nearby[i])) return [];
    return [found(day, 'statistical', part, middle, '1', 'info')];
  });
}

/** Less than expected on several days in a row; cloudy days and gaps are skipped and do not end the row. */
function underperforming<Day>({ days }: AnomalySubject<Day>, limits: AnomalyLimits): Found<Day>[] {
  const { majorPart, majorDays, minorPart, minorDays } = limits;
  const judged = clearDays(days, limits.cloudyPart);
  const under = (part: number, least: number) =>
    runsOf(judged, (day) => (day.energyKwh ?? 0) < part * (day.expectedKwh ?? 0))
      .filter((run) => run.length >= least)
      .flat();
  const major = new Set(under(majorPart, majorDays));
  const all = new Set([...major, ...under(minorPart, minorDays)]);
  return [...all].map((day) =>
    found(
      day,
      'underperformance',
      day.energyKwh,
      day.expectedKwh ?? null,
      'kWh',
      major.has(day) ? 'major' : 'minor',
    ),
  );
}

/** Days with a value and an expectation that is not among the darkest of the time. */
function clearDays<Day>(days: readonly EnergyDay<Day>[], cloudyPart: number): EnergyDay<Day>[] {
  const both = days.filter(({ energyKwh, expectedKwh }) => energyKwh !== null && (expectedKwh ?? 0) > 0);
  const bright = both.map(({ expectedKwh }) => expectedKwh ?? 0).sort((a, b) => a - b);
  const usual = bright[Math.floor((bright.length - 1) * 0.9)] ?? 0;
  return both.filter(({ expectedKwh }) => (expectedKwh ?? 0) >= cloudyPart * usual);
}

/** Runs of days that follow one another in the list and all fit. */
function runsOf<Day>(
  days: readonly EnergyDay<Day>[],
  fits: (day: EnergyDay<Day>, before: EnergyDay<Day> | undefined) => boolean,
): EnergyDay<Day>[][] {
  const runs: EnergyDay<Day>[][] = [];
  let run: EnergyDay<Day>[] | null = null;
  for (const [i, day] of days.entries()) {
    if (!fits(day, days[i - 1])) {
      run = null;
      continue;
    }
    if (!run) {
      run = [];
      runs.push(run);
    }
    run.push(day);
  }
  return runs;
}

const found = <Day>(
  { day }: EnergyDay<Day>,
  rule: AnomalyRule,
  value: number | null,
  expected: number | null,
  unit: Anomaly<Day>['unit'],
  severity: AnomalySeverity,
): Found<Day> => ({ day, rule, value, expected, unit, severity });
