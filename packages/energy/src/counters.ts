import { type CounterReading, inOrder, JUMP, placesOf, roundTo, valueAt } from './counter-readings.ts';

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
/** A counter may go so much faster than its mean pace; less where that alone says that it rolled over. */
const HASTE = 10;
const HASTE_OVER = 3;
/** After a pause of more than so many usual ones the mean pace says more: it may go only so much faster. */
const LONG_PAUSE = 4;
const HASTE_LONG = 2;
/** Near a limit is what lacks at most a usual step, or so much of the limit. */
const NEAR = 0.02;
/** A counter that still shows this part of its last value was set back; one that shows less has begun anew. */
const SET_BACK = 0.5;
const DAY_MS = 86_400_000;

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
