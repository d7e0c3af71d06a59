/**
 * The one arithmetic of counters: what a counter counted, from what it showed.
 *
 * - A **gain** belongs to the time between its two readings.
 * - A **dip** falls below the level that was reached and jumps back: everything between stays in the lowest quarter of the
 *   way back. A **spike** leaves the level by a jump and comes back to it. Both add nothing and are excluded.
 * - What climbs back step by step, or never, was **reset** (or exchanged, or set back). What it shows then was counted since,
 *   if it could be counted in that time at ten times the mean pace of before or after, twice after a long pause; otherwise
 *   nothing is known of it, as of what still shows half of what it had: that was set back.
 * - What fell from near a limit of its register (2^16, 2^32, 10^n …) **rolled over**, if the way over the limit could be
 *   counted in that time. How near that is does not grow with the pause: whatever sleeps at night would roll over.
 * - Where it is **known when** it begins anew (a counter of days, at midnight), it did so between its last rise before and the
 *   first other value after, lower or higher.
 * - Zeros that begin a counter are none where the first step from them could not be counted in that time.
 *
 * All of this follows from the set of readings: the order of arrival does not matter, and neither does how large a reading is.
 */

/** What a counter showed, in its own unit, at an instant in epoch ms. */
export interface CounterReading {
  at: number;
  value: number;
  /** So many readings between the one before and this one were left out by `condense`. */
  left?: number;
}

/** What was counted between two readings that follow one another once dips and spikes are gone. */
export interface Gain {
  from: number;
  to: number;
  /** In the counter's unit; 0 or more. */
  amount: number;
  /** Its time has a gap: how the amount lies in it is not known. */
  isEstimated: boolean;
  /** More than `mostPerHour` allows for its time. */
  isDoubted: boolean;
  /** What the counter showed at `to`: decides how many digits of the amount mean something. */
  value: number;
}

/** A reading that counts nothing. `count` readings from `at` to `until`; `value` is the first of them. */
export interface Excluded {
  at: number;
  until: number;
  value: number;
  count: number;
  reason: 'dip' | 'spike';
}

/** Where a counter began anew, with what it showed before and after. */
export interface Restart {
  at: number;
  before: number;
  value: number;
  kind: 'reset' | 'rollover';
}

export interface Counted {
  /** Oldest first, without holes from the first reading to the last that counts. */
  gains: Gain[];
  /** Pauses in which nothing was read. */
  gaps: { from: number; to: number }[];
  excluded: Excluded[];
  restarts: Restart[];
  /** It counts down from zero, as what is sold may: amounts are how far, and what is excluded has no sign. */
  countsDown?: true;
}

export interface CounterOptions {
  /** Where it is known to roll over; otherwise the usual limits are tried. */
  rollsOverAt?: number | null;
  /**
   * Instants at which a counter of days begins anew, rising: local midnights. What it shows after a reset was counted since
   * the last of them that lies between its two readings.
   */
  restartsAt?: readonly number[];
  /** So much per hour can be counted at most, in the counter's unit: gains beyond it are doubted. */
  mostPerHour?: number | null;
  /** The usual pause between readings, ms; otherwise the median of the pauses. */
  usualMs?: number;
}

/** The version of this arithmetic. What was kept by another one is made again. */
export const COUNTER_RULE = 2;

const HOUR_MS = 3_600_000;
/** A pause is a gap where it is longer than this, ms, and than so many usual ones. */
const GAP_MS = 900_000;
const GAP_TIMES = 2.5;
/** A jump is at least so much of the whole way. */
const JUMP = 0.75;
/** A counter may go so much faster than its mean pace; less where that alone says that it rolled over. */
const HASTE = 10;
const HASTE_OVER = 3;
/** After a pause of more than so many usual ones the mean pace says more: it may go only so much faster. */
const LONG_PAUSE = 4;
const HASTE_LONG = 2;
/** Near a limit is what lacks at most a usual step, or so much of the limit. */
const NEAR = 0.02;
/** What shows so much of what it had was set back, and did not begin anew. */
const SET_BACK = 0.5;
const DAY_MS = 86_400_000;
/** Digits of a reading that mean something: a double has 15 to 17. */
const DIGITS = 13;

/**
 * What a counter counted.
 *
 * Shapes: `readings` in any order; of several of one instant the last one given stands. Gaps: they are shared like any
 * other time, and marked. Work: about linear in the readings.
 */
export function countGains(readings: readonly CounterReading[], options: CounterOptions = {}): Counted {
  const sorted = inOrder(readings);
  const isDown = countsDown(sorted);
  const all = isDown ? sorted.map((one) => ({ ...one, value: Math.abs(one.value) })) : sorted;
  const { lines, known, excluded } = linesOf(all, options);
  const gaps = gapsOf(all, options.usualMs);
  const gains: Gain[] = [];
  const restarts: Restart[] = [];
  const marks = new Marks(gaps);
  lines.forEach((line, i) => {
    const before = lines[i - 1];
    if (before) {
      const { gain, kind } = overRestart(all, before, line, known[i] ?? null, options);
      gains.push(marks.on(gain));
      const [was, is] = [topOf(all, before), bottomOf(all, line)];
      restarts.push({ at: is.at, before: was.value, value: is.value, kind });
    }
    for (let k = 1; k < line.length; k++) {
      const [a, b] = [all[line[k - 1] as number], all[line[k] as number]] as [CounterReading, CounterReading];
      gains.push(marks.on(gainOf(a.at, b, difference(a.value, b.value))));
    }
  });
  if (typeof options.mostPerHour === 'number') doubt(gains, options.mostPerHour);
  const counted = { gains, gaps, excluded: excludedRuns(all, excluded), restarts };
  return isDown ? { ...counted, countsDown: true } : counted;
}

/** Whether a counter never rises above zero and fell more than once: a single fall may be a negative full scale. */
function countsDown(all: readonly CounterReading[]): boolean {
  const falls = all.filter(({ value }, i) => i > 0 && value < valueAt(all, i - 1)).length;
  return falls > 1 && all.every(({ value }) => value <= 0);
}

/** What was counted in an interval. */
export interface Share {
  /** With what is doubted; null where no gain lies in the interval. */
  amount: number | null;
  /** Part of the amount that lies in gaps. */
  estimated: number;
  /** Part of the amount that is beyond what can be counted. */
  doubted: number;
  /** Part of the interval between readings without a gap, ms. */
  coveredMs: number;
}

/**
 * Gains by intervals: where an edge lies between two readings, the gain is shared by time. `edges` are where intervals begin,
 * and last where the last one ends; rising. The amounts of intervals add up to that of all of them together.
 */
export function shareByIntervals(
  { gains, gaps }: Pick<Counted, 'gains' | 'gaps'>,
  edges: readonly number[],
): Share[] {
  const shares = edges.slice(1).map((): Share => ({ amount: null, estimated: 0, doubted: 0, coveredMs: 0 }));
  const digits = new Int8Array(shares.length).fill(DIGITS);
  const first = gains[0]?.from;
  const last = gains.at(-1)?.to;
  for (const gain of gains) {
    const { from, to, amount, isEstimated, isDoubted, value } = gain;
    const places = placesOf(amount, value);
    forEachPart(edges, from, to, (i, lo, hi) => {
      const part = partOf(amount, places, { from, to }, lo, hi);
      const share = shares[i] as Share;
      share.amount = (share.amount ?? 0) + part;
      if (isEstimated) share.estimated += part;
      if (isDoubted) share.doubted += part;
      if (places < (digits[i] as number)) digits[i] = places;
    });
  }
  if (first !== undefined && last !== undefined) {
    forEachPart(edges, first, last, (i, lo, hi) => {
      (shares[i] as Share).coveredMs += hi - lo;
    });
    for (const gap of gaps)
      forEachPart(edges, Math.max(first, gap.from), Math.min(last, gap.to), (i, lo, hi) => {
        (shares[i] as Share).coveredMs -= hi - lo;
      });
  }
  shares.forEach((share, i) => {
    const rounded = (one: number) => roundTo(one, digits[i] as number);
    if (share.amount !== null) share.amount = rounded(share.amount);
    share.estimated = rounded(share.estimated);
    share.doubted = rounded(share.doubted);
  });
  return shares;
}

/**
 * The readings that decide what all of them come to, oldest first: `countGains` of what is left of several stretches of time,
 * one after the other, gives the same amounts as of all readings, wherever the stretches are cut.
 *
 * Left out is what rises steadily: of a rise its ends stay, and the steps that are a jump as seen from its beginning or its end,
 * each with the reading since which the counter had stood still. With `mostPerHour` also those that are steeper: what is doubted
 * is the same then.
 */
export function condense(
  readings: readonly CounterReading[],
  mostPerHour = Number.POSITIVE_INFINITY,
): CounterReading[] {
  const most = mostPerHour / HOUR_MS;
  const all = inOrder(readings);
  const stays = new Uint8Array(all.length);
  for (let from = 0; from < all.length; ) {
    let to = from;
    while (to + 1 < all.length && valueAt(all, to + 1) >= valueAt(all, to)) to++;
    stays[from] = 1;
    stays[to] = 1;
    const [low, high] = [valueAt(all, from), valueAt(all, to)];
    let stood = from;
    for (let k = from + 1; k <= to; k++) {
      const [a, b] = [valueAt(all, k - 1), valueAt(all, k)];
      const bottom = b > 0 ? Math.max(0, low) : low;
      const isJump = b - a >= JUMP * (b - bottom) || b - a >= JUMP * (high - a);
      const isSteep = b - a > most * ((all[k] as CounterReading).at - (all[k - 1] as CounterReading).at);
      if (b > a && (isJump || isSteep || (a <= 0 && b > 0))) {
        stays[stood] = 1;
        stays[k - 1] = 1;
        stays[k] = 1;
      }
      if (b > a) stood = k;
    }
    from = to + 1;
  }
  const kept: CounterReading[] = [];
  let left = 0;
  all.forEach(({ at, value, left: before = 0 }, i) => {
    left += before;
    if (stays[i]) {
      kept.push(left > 0 ? { at, value, left } : { at, value });
      left = 0;
    } else left++;
  });
  return kept;
}

/** Gaps between readings: pauses longer than a quarter of an hour and than 2.5 usual ones. */
function gapsOf(
  readings: readonly Pick<CounterReading, 'at'>[],
  usualMs?: number,
): { from: number; to: number }[] {
  const pauses = readings.slice(1).map(({ at }, i) => at - (readings[i] as CounterReading).at);
  const usual = usualMs ?? medianOf(pauses.filter((pause) => pause > 0));
  const longest = Math.max(GAP_MS, GAP_TIMES * usual);
  return pauses.flatMap((pause, i) => {
    const from = (readings[i] as CounterReading).at;
    return pause > longest ? [{ from, to: from + pause }] : [];
  });
}

function medianOf(pauses: readonly number[]): number {
  const sorted = Float64Array.from(pauses).sort();
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

const valueAt = (all: readonly CounterReading[], i: number): number => (all[i] as CounterReading).value;

/** By time, one of each instant, with the digits that mean something. */
function inOrder(readings: readonly CounterReading[]): CounterReading[] {
  const isSorted = readings.every(({ at }, i) => i === 0 || at >= (readings[i - 1] as CounterReading).at);
  const sorted = isSorted ? readings : readings.toSorted((a, b) => a.at - b.at);
  const all: CounterReading[] = [];
  for (const { at, value, left } of sorted) {
    if (!Number.isFinite(value)) continue;
    const reading = { at, value: roundTo(value, placesOf(value, value)), ...(left ? { left } : {}) };
    if (all.at(-1)?.at === at) all[all.length - 1] = reading;
    else all.push(reading);
  }
  return all;
}

/** A step by which a line left a level at once, from `base` to its reading at `place`. */
interface Jump {
  place: number;
  base: number;
  value: number;
}

/** The places of readings of one line, which never falls. */
type Line = number[];
type Reasons = Map<number, Excluded['reason']>;

interface Lines {
  lines: Line[];
  /** The known instant at which each line began anew; null where none is known. */
  known: (number | null)[];
  excluded: Reasons;
}

/** Readings that rise, from one restart to the next; what is excluded lies between. */
function linesOf(all: readonly CounterReading[], options: CounterOptions): Lines {
  const lines: Line[] = [];
  const known: (number | null)[] = [];
  const excluded: Reasons = new Map();
  if (all.length === 0) return { lines, known, excluded };
  const restartsAt = (options.restartsAt ?? []).toSorted((a, b) => a - b);
  const atOf = (i: number) => (all[i] as CounterReading).at;
  let line: Line = [0];
  let since: number | null = null;
  let jumps: Jump[] = [];
  /** Place of the last rise of the line. */
  let rise = 0;
  const append = (i: number) => {
    const [base, value] = [valueAt(all, line.at(-1) as number), valueAt(all, i)];
    if (value > base) {
      jumps = jumps.filter((jump) => jump.value - jump.base >= JUMP * (value - jump.base));
      if (!all[i]?.left) jumps.push({ place: line.length, base, value });
      rise = line.length;
    }
    line.push(i);
  };
  const cut = (place: number) => {
    for (const i of line.splice(place)) excluded.set(i, 'spike');
    jumps = jumps.filter((jump) => jump.place < place);
    if (rise < line.length) return;
    rise = line.length - 1;
    while (rise > 0 && valueAt(all, line[rise - 1] as number) === valueAt(all, line[rise] as number)) rise--;
  };
  const begin = (i: number, restart: number | null) => {
    lines.push(line);
    known.push(since);
    [line, since, jumps, rise] = [[i], restart, [], 0];
  };
  /** Of a counter of days: the step from a reading of the line could not be counted, by what it counted until then. */
  const isHasty = (place: number, i: number) => {
    const base = line[place - 1] as number;
    const pace = dayPaceOf(all, line.slice(0, place));
    return pace > 0 && valueAt(all, i) - valueAt(all, base) > HASTE * pace * (atOf(i) - atOf(base));
  };
  for (let i = 1; i < all.length; i++) {
    const value = valueAt(all, i);
    const level = valueAt(all, line.at(-1) as number);
    const restart = restartsAt.length > 0 ? lastIn(restartsAt, atOf(line[rise] as number), atOf(i)) : null;
    if (restart !== null && value < level) {
      const spike = jumps.find(({ place }) => isHasty(place, line[place] as number));
      if (spike) {
        cut(spike.place);
        i--;
        continue;
      }
      const back = leftoverAt(all, i, level, nextAfter(restartsAt, atOf(i)));
      if (back === null) {
        begin(i, restart);
        continue;
      }
      for (let k = i; k < back; k++) excluded.set(k, 'dip');
      i = back;
      append(i);
      continue;
    }
    if (restart !== null && value > level && level > 0) {
      // A clock of its own is late: it falls only later on this day.
      if (fallsUntil(all, i, level, nextAfter(restartsAt, restart))) {
        if (isHasty(line.length, i)) excluded.set(i, 'spike');
        else append(i);
        continue;
      }
      if (value <= HASTE * dayPaceOf(all, line) * (atOf(i) - restart)) begin(i, restart);
      else append(i);
      continue;
    }
    if (value >= level) {
      append(i);
      continue;
    }
    const jump = jumps.find(({ base, value: high }) => base <= value && value < high);
    if (jump && value <= jump.base + (1 - JUMP) * (level - jump.base)) {
      cut(jump.place);
      append(i);
      continue;
    }
    const back = returnOf(all, i, level, jumps);
    if (back) {
      cut(back.place ?? line.length);
      for (let k = i; k < back.at; k++) excluded.set(k, 'dip');
      i = back.at;
      append(i);
      continue;
    }
    if (jump) {
      cut(jump.place);
      append(i);
      continue;
    }
    begin(i, null);
  }
  lines.push(line);
  known.push(since);
  lines.forEach((one, i) => {
    if ((known[i] ?? null) !== null) dropNegatives(all, one, excluded);
    else dropZeros(all, one, lines[i - 1], excluded, options.mostPerHour ?? null);
  });
  return { lines, known, excluded };
}

/** The last of some rising instants that lies after `from`, and at `to` at the latest. */
function lastIn(instants: readonly number[], from: number, to: number): number | null {
  const next = placeAfter(instants, to);
  const found = instants[next - 1];
  return found !== undefined && found > from ? found : null;
}

const nextAfter = (instants: readonly number[], at: number): number =>
  instants[placeAfter(instants, at)] ?? Number.POSITIVE_INFINITY;

function placeAfter(instants: readonly number[], at: number): number {
  let [low, high] = [0, instants.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((instants[middle] as number) > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** What a counter of days counted per ms: of one reading, and of a line that stands, what it shows in a day. */
function dayPaceOf(all: readonly CounterReading[], line: Line): number {
  return paceOf(all, line) || Math.max(0, topOf(all, line).value) / DAY_MS;
}

/**
 * Where a counter of days that fell after midnight shows again exactly what was left of yesterday, and does not go on from
 * there: it has not begun anew yet. Null where it has.
 */
function leftoverAt(
  all: readonly CounterReading[],
  from: number,
  level: number,
  until: number,
): number | null {
  const back = jumpBack(all, from, level);
  if (back === null || valueAt(all, back) !== level || (all[back] as CounterReading).at >= until) return null;
  for (let k = back + 1; k < all.length && (all[k] as CounterReading).at < until; k++)
    if (valueAt(all, k) !== level) return valueAt(all, k) < level ? back : null;
  return back;
}

function fallsUntil(all: readonly CounterReading[], from: number, level: number, until: number): boolean {
  for (let k = from + 1; k < all.length && (all[k] as CounterReading).at < until; k++)
    if (valueAt(all, k) < level) return true;
  return false;
}

/**
 * Where what fell at `from` jumps back to the level that was reached, or to one that was left by a jump (`place`): what lay
 * between was a spike and a dip.
 */
function returnOf(
  all: readonly CounterReading[],
  from: number,
  level: number,
  jumps: readonly Jump[],
): { at: number; place: number | null } | null {
  const levels = [{ base: level, place: null, value: level }, ...jumps.toReversed()];
  for (const { base, place, value } of levels) {
    if (base <= valueAt(all, from)) continue;
    const at = jumpBack(all, from, base);
    if (at === null) continue;
    // What goes on far from where a jump began did not come back to it, and what fell by less than the jump was set back.
    const above = valueAt(all, at) - base;
    const isDeep = base - valueAt(all, from) >= value - base;
    if (place === null || above <= (isDeep ? 1 : 1 - JUMP) * (value - base)) return { at, place };
  }
  return null;
}

function jumpBack(all: readonly CounterReading[], from: number, level: number): number | null {
  // What is below zero is as wrong as zero.
  const heightAt = (i: number) => (level > 0 ? Math.max(0, valueAt(all, i)) : valueAt(all, i));
  let low = heightAt(from);
  let high = low;
  for (let at = from + 1; at < all.length; at++) {
    if (valueAt(all, at) >= level) return all[at]?.left ? null : at;
    const value = heightAt(at);
    low = Math.min(low, value);
    high = Math.max(high, value);
    if (high > JUMP * low + (1 - JUMP) * level) return null;
  }
  return null;
}

/** A counter of days begins at zero, and not below. */
function dropNegatives(all: readonly CounterReading[], line: Line, excluded: Reasons): void {
  const place = line.findIndex((i) => valueAt(all, i) >= 0);
  for (const i of line.splice(0, Math.max(0, place))) excluded.set(i, 'dip');
}

/** Zeros with which a line begins, where nothing that was counted leads from them to what follows. */
function dropZeros(
  all: readonly CounterReading[],
  line: Line,
  before: Line | undefined,
  excluded: Reasons,
  mostPerHour: number | null,
): void {
  const bottom = bottomOf(all, line);
  if (bottom.value > 0) return;
  // It has begun at zero before.
  if (bottom.value === 0 && before && bottomOf(all, before).value === 0) return;
  const place = line.findIndex((i) => valueAt(all, i) > 0);
  const risen = all[line[place] ?? -1];
  if (!risen || risen.left) return;
  const rest = line.slice(place);
  const pace = Math.max(paceOf(all, rest), paceOf(all, before));
  const { at, value } = bottom;
  const mean = HASTE * pace;
  const most = value === 0 && mostPerHour !== null ? Math.max(mean, mostPerHour / HOUR_MS) : mean;
  if (pace === 0 || risen.value - value <= most * (risen.at - at)) return;
  for (const i of line.splice(0, place)) excluded.set(i, 'dip');
}

const bottomOf = (all: readonly CounterReading[], line: Line) => all[line[0] as number] as CounterReading;
const topOf = (all: readonly CounterReading[], line: Line) => all[line.at(-1) as number] as CounterReading;

/** What a line counted per ms, on the mean; 0 where that is not known. */
function paceOf(all: readonly CounterReading[], line: Line | undefined): number {
  if (!line || line.length < 2) return 0;
  const [first, last] = [bottomOf(all, line), topOf(all, line)];
  return (last.value - first.value) / Math.max(1, last.at - first.at);
}

/** The mean pause between the readings of a line, ms; infinite where it has but one. */
function pauseOf(all: readonly CounterReading[], line: Line): number {
  const steps = line.slice(1).reduce((sum, i) => sum + 1 + (all[i]?.left ?? 0), 0);
  return steps === 0 ? Number.POSITIVE_INFINITY : (topOf(all, line).at - bottomOf(all, line).at) / steps;
}

/** What was counted from the last reading before a restart to the first one after it. */
function overRestart(
  all: readonly CounterReading[],
  before: Line,
  line: Line,
  known: number | null,
  { rollsOverAt = null }: CounterOptions,
): { gain: Omit<Gain, 'isEstimated' | 'isDoubted'>; kind: Restart['kind'] } {
  const [was, is] = [topOf(all, before), bottomOf(all, line)];
  const pause = is.at - was.at;
  const pace = Math.max(paceOf(all, before), paceOf(all, line));
  const usual = pace * pause;
  if (known !== null) {
    // As much as on the day before can be counted on each; of a day without a pace more is believed.
    const isLikely = is.value <= was.value || usual === 0 || is.value <= HASTE * usual;
    const counted = is.value > 0 && isLikely ? is.value : 0;
    return { gain: gainOf(was.at, is, counted, known > was.at ? known : undefined), kind: 'reset' };
  }
  const usualPause = Math.min(pause, pauseOf(all, before), pauseOf(all, line));
  if (rollsOverAt !== null) {
    const over = rollsOverAt - was.value + is.value;
    if (was.value <= rollsOverAt && is.value >= 0 && over < rollsOverAt / 2)
      return { gain: gainOf(was.at, is, over), kind: 'rollover' };
  } else if (is.value >= 0) {
    const limit = limitAbove(was.value, is.value);
    const over = limit - was.value + is.value;
    const isNear = limit - was.value <= Math.max(NEAR * limit, pace * usualPause);
    if (isNear && over <= HASTE_OVER * usual) return { gain: gainOf(was.at, is, over), kind: 'rollover' };
  }
  const most = (pause > LONG_PAUSE * usualPause ? HASTE_LONG : HASTE) * usual;
  const isNew = is.value > 0 && is.value < SET_BACK * was.value && is.value <= most;
  return { gain: gainOf(was.at, is, isNew ? is.value : 0), kind: 'reset' };
}

/** Registers are so many bits wide, and show so many decimals; mechanical and display counters have so many digits. */
const BITS = [15, 16, 24, 31, 32, 48];
const SCALES = [-3, -2, -1, 0, 1, 2, 3];
const LIMITS = [
  ...BITS.flatMap((bits) => SCALES.map((scale) => 2 ** bits * 10 ** scale)),
  ...[3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((digits) => 10 ** digits),
]
  .filter((limit) => limit >= 1000)
  .sort((a, b) => a - b);

/** The next limit; that of a register with decimals only where one of the values shows some. */
function limitAbove(value: number, after: number): number {
  const isWhole = Number.isInteger(value) && Number.isInteger(after);
  return (
    LIMITS.find((limit) => limit > value && !(isWhole && !Number.isInteger(limit))) ??
    Number.POSITIVE_INFINITY
  );
}

function gainOf(from: number, { at: to, value }: CounterReading, amount: number, since?: number) {
  return { from: since !== undefined && since < to ? since : from, to, amount, value };
}

const difference = (a: number, b: number): number => roundTo(b - a, placesOf(a, b));

/** Says of each gain, oldest first, whether it lies in a gap. */
class Marks {
  readonly #gaps: Counted['gaps'];
  #gap = 0;

  constructor(gaps: Counted['gaps']) {
    this.#gaps = gaps;
  }

  on(gain: Omit<Gain, 'isEstimated' | 'isDoubted'>): Gain {
    while ((this.#gaps[this.#gap]?.to ?? Number.POSITIVE_INFINITY) <= gain.from) this.#gap++;
    const gap = this.#gaps[this.#gap];
    return { ...gain, isEstimated: gap !== undefined && gap.from < gain.to, isDoubted: false };
  }
}

/**
 * Marks what is more than can be counted in its time. A counter that is refreshed more rarely than it is read stands still
 * until then: what it goes on by was counted since it went on before. A counter of whole kWh goes on by its least step: that
 * was under way all the time before, too.
 */
function doubt(gains: readonly Gain[], mostPerHour: number): void {
  const most = mostPerHour / HOUR_MS;
  const least = gains.reduce(
    (min, { amount }) => (amount > 0 ? Math.min(min, amount) : min),
    Number.POSITIVE_INFINITY,
  );
  let rise = { from: gains[0]?.from ?? 0, to: gains[0]?.from ?? 0 };
  for (const gain of gains) {
    const from = Math.min(gain.amount > least ? rise.to : rise.from, gain.from);
    gain.isDoubted = gain.amount > most * (gain.to - from);
    if (gain.amount > 0) rise = gain;
  }
}

/** Readings that are excluded for the same reason, one after the other. */
function excludedRuns(all: readonly CounterReading[], reasons: Reasons): Excluded[] {
  const runs: Excluded[] = [];
  let last = -2;
  for (const i of [...reasons.keys()].sort((a, b) => a - b)) {
    const reason = reasons.get(i) as Excluded['reason'];
    const { at, value, left = 0 } = all[i] as CounterReading;
    const run = runs.at(-1);
    if (run && last === i - 1 && run.reason === reason) {
      run.until = at;
      run.count += 1 + left;
    } else runs.push({ at, until: at, value, count: 1, reason });
    last = i;
  }
  return runs;
}

/** Each interval that a span touches, with the part of the span that lies in it. */
function forEachPart(
  edges: readonly number[],
  from: number,
  to: number,
  each: (interval: number, lo: number, hi: number) => void,
): void {
  const count = edges.length - 1;
  if (count < 1 || to <= from) return;
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((edges[middle + 1] as number) > from) high = middle;
    else low = middle + 1;
  }
  for (let i = low; i < count && (edges[i] as number) < to; i++) {
    const lo = Math.max(from, edges[i] as number);
    const hi = Math.min(to, edges[i + 1] as number);
    if (hi > lo) each(i, lo, hi);
  }
}

/** The part of a gain between two instants. Both ends are rounded, so that parts add up to the whole. */
export function partOf(
  amount: number,
  places: number,
  { from, to }: { from: number; to: number },
  lo: number,
  hi: number,
) {
  const upTo = (at: number) =>
    at >= to ? amount : at <= from ? 0 : roundTo((amount * (at - from)) / (to - from), places);
  return upTo(hi) - upTo(lo);
}

/** Decimal places that mean something beside numbers of this size. */
export function placesOf(a: number, b: number): number {
  const size = Math.max(Math.abs(a), Math.abs(b));
  return size === 0 ? DIGITS : Math.max(0, Math.min(DIGITS, DIGITS - Math.ceil(Math.log10(size))));
}

export function roundTo(value: number, places: number): number {
  const scale = 10 ** places;
  const scaled = value * scale;
  return Math.abs(scaled) > Number.MAX_SAFE_INTEGER ? value : Math.round(scaled) / scale;
}
