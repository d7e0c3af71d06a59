import { type IssueName, issueText } from '@albedo/contract/failures/issues';
import { kindOfPath } from '@albedo/contract/schedules/schedules.names';
import type { RehearsalOnDevice, SetpointBounds } from '@albedo/contract/schedules/schedules.schema';
import { parseSetpoint, type SetpointKind } from '@albedo/contract/schedules/setpoints';
import { wallTime } from '@albedo/contract/time/zoned-time';
import { heldAt, type TimedValue, type Timeline } from './timeline.ts';

/** What stands against a schedule, with the part that it is about. */
export interface Problem {
  part: string;
  issue: IssueName;
  facts: Record<string, string>;
  message: string;
  /** Nothing can be applied while it stands. */
  blocks: boolean;
}

const MINUTE_MS = 60_000;

export const problem = (
  part: string,
  issue: IssueName,
  facts: Record<string, string>,
  blocks = true,
): Problem => ({
  part,
  blocks,
  issue,
  facts,
  message: issueText(issue, facts),
});

/** Where nothing holds: full power, no reactive power. */
const NEUTRAL: Record<SetpointKind, number> = {
  setpoint_activepower: 100,
  setpoint_cosphi: 0,
  setpoint_reactivepower: 0,
};

/**
 * A value as bounds are said: active power in % of the rating, cos phi as its distance from 1, reactive power in % of its
 * base, var as a share of the rating. Null where that cannot be told: of W and var on a device whose rating is unknown.
 */
export function measureOf(kind: SetpointKind, value: string, ratedW: number | null): number | null {
  if (value === '') return NEUTRAL[kind];
  const setpoint = parseSetpoint(kind, value);
  if (setpoint.kind === 'setpoint_cosphi') return Math.round((1 - setpoint.value) * 1e9) / 1e9;
  const isShare =
    setpoint.kind === 'setpoint_reactivepower' ? setpoint.base !== 'var' : setpoint.unit === '%';
  if (isShare) return setpoint.value;
  return ratedW ? (setpoint.value / ratedW) * 100 : null;
}

/** Whether bounds can be told of these values only with what the device says of its inverters. */
export function needsDevice(bounds: SetpointBounds, entries: readonly TimedValue[], held: Timeline): boolean {
  const isAbsolute = [...entries, ...held.entries].some(({ value }) => /(W|var)$/i.test(value));
  return (
    bounds.whenLost !== null || bounds.persistentWritesADay !== null || (isMeasured(bounds) && isAbsolute)
  );
}

const isMeasured = ({ least, most, step, rampPerMinute }: SetpointBounds): boolean =>
  [least, most, step, rampPerMinute].some((one) => one !== null);

interface Checked {
  path: string;
  bounds: SetpointBounds;
  entries: readonly TimedValue[];
  until: number | null;
  /** What holds before it. */
  held: Timeline;
  /** Of the site. */
  zone: string;
  now: number;
  /** What the device said; null where nobody asked it. */
  device: Pick<RehearsalOnDevice, 'inverters'> | null;
}

/** All that stands against a schedule. */
export function problemsOf(of: Checked): Problem[] {
  const ratedW = ratedOf(of.device);
  const measure = (value: string) => measureOf(kindOfPath(of.path), value, ratedW);
  return [
    ...of.entries.flatMap((entry, at) => rangeProblems(of.bounds, entry, measure(entry.value), at)),
    ...of.entries.flatMap((_, at) => stepProblems(of, measure, at)),
    ...writeProblems(of),
    ...inverterProblems(of),
  ];
}

/** Of all inverters together, W; null where it is not known of each. */
function ratedOf(device: Checked['device']): number | null {
  const rated = device?.inverters.map(({ ratedKw }) => ratedKw) ?? [];
  if (rated.length === 0 || rated.some((kw) => !kw)) return null;
  return rated.reduce<number>((sum, kw) => sum + (kw ?? 0), 0) * 1000;
}

const partOf = (at: number): string => `entries.${at}.value`;

function rangeProblems(
  bounds: SetpointBounds,
  { value }: TimedValue,
  measure: number | null,
  at: number,
): Problem[] {
  const { least, most } = bounds;
  if (value === '') return [];
  if (measure === null)
    return isMeasured(bounds) ? [problem(partOf(at), 'issue.bound_unknown', { value })] : [];
  if (least !== null && measure < least)
    return [problem(partOf(at), 'issue.bound_least', { value, bound: String(least) })];
  if (most !== null && measure > most)
    return [problem(partOf(at), 'issue.bound_most', { value, bound: String(most) })];
  return [];
}

/** What an entry follows, and when each of the two begins, epoch ms. */
interface Follows {
  before: string;
  from: number;
  to: number;
}

/** An entry follows the one above it; the first that counts from now on follows what holds. */
function followsOf({ entries, held, now }: Checked, at: number): Follows[] {
  const [earlier, entry] = [entries[at - 1], entries[at]];
  if (!entry) return [];
  const begins = Date.parse(entry.datetime);
  const above = earlier ? [{ before: earlier.value, from: Date.parse(earlier.datetime), to: begins }] : [];
  const first = Math.max(
    0,
    entries.findLastIndex(({ datetime }) => Date.parse(datetime) <= now),
  );
  const before = at === first ? heldAt(held, now) : '';
  if (before === '' || before === entry.value) return above;
  const since = held.entries.findLast(({ datetime }) => Date.parse(datetime) <= now)?.datetime ?? '';
  return [...above, { before, from: Date.parse(since), to: Math.max(begins, now) }];
}

function stepProblems(of: Checked, measure: (value: string) => number | null, at: number): Problem[] {
  const { datetime = '', value = '' } = of.entries[at] ?? {};
  const { step, rampPerMinute, dwellMinutes } = of.bounds;
  const found: Problem[] = [];
  for (const { before, from, to } of followsOf(of, at)) {
    const [was, is] = [measure(before), measure(value)];
    const minutes = (to - from) / MINUTE_MS;
    const words = { before: before || 'nothing', value: value || 'nothing' };
    const isAsked = step !== null || rampPerMinute !== null;
    if (isAsked && was === null && is !== null)
      found.push(problem(partOf(at), 'issue.bound_unknown', { value: before }));
    const change = was === null || is === null ? 0 : Math.abs(is - was);
    if (step !== null && change > step + 1e-9)
      found.push(problem(partOf(at), 'issue.bound_step', { ...words, bound: String(step) }));
    if (rampPerMinute !== null && change > rampPerMinute * minutes + 1e-9)
      found.push(problem(partOf(at), 'issue.bound_ramp', { ...words, bound: String(rampPerMinute) }));
    if (dwellMinutes !== null && minutes < dwellMinutes)
      found.push(
        problem(`entries.${at}.datetime`, 'issue.bound_dwell', {
          ...{ datetime, minutes: String(Math.round(minutes * 10) / 10), bound: String(dwellMinutes) },
        }),
      );
  }
  return found;
}

/** Changes of each day of the site, and of today what was written already. */
function writeProblems({ bounds, entries, until, zone, now, device }: Checked): Problem[] {
  const most = bounds.persistentWritesADay;
  const wearing = device?.inverters.filter(({ isPersistent }) => isPersistent) ?? [];
  if (most === null || wearing.length === 0) return [];
  const dayOf = (at: number): string => {
    const { year, month, day } = wallTime(at, zone);
    return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  };
  const changes = [
    ...entries.map(({ datetime }, at) => ({ at: Date.parse(datetime), part: partOf(at) })),
    ...(until === null ? [] : [{ at: until, part: 'until' }]),
  ].filter(({ at }) => at >= now);
  const today = dayOf(now);
  const found: Problem[] = [];
  for (const [day, those] of Map.groupBy(changes, ({ at }) => dayOf(at)))
    for (const { name, persistentWritesToday } of wearing) {
      const total = those.length + (day === today ? persistentWritesToday : 0);
      const facts = { count: String(total), day, bound: String(most), inverter: name };
      if (total > most) found.push(problem(those.at(-1)?.part ?? 'entries', 'issue.bound_writes', facts));
    }
  return found;
}

/** What inverters cannot do. One that is away, or takes no writes, keeps nothing from the others. */
function inverterProblems({ bounds, device }: Checked): Problem[] {
  if (!device) return [];
  const { inverters } = device;
  const found: Problem[] = [];
  const isNobody = inverters.every(({ mayWrite }) => mayWrite === 'no');
  const wanted = bounds.whenLost;
  for (const { name, why, isReached, mayWrite, whenLost, timerS } of inverters) {
    const facts = { inverter: name, why };
    if (mayWrite === 'no') found.push(problem('inverters', 'issue.inverter_readonly', facts, isNobody));
    if (!isReached) found.push(problem('inverters', 'issue.inverter_away', facts, false));
    // Without a timer it never lets go by itself.
    const able = whenLost === 'release' && timerS === null ? 'hold' : whenLost;
    if (wanted !== null && isReached && mayWrite !== 'no' && able !== wanted)
      found.push(problem('bounds.whenLost', 'issue.when_lost', { inverter: name, wanted, able }));
  }
  return found;
}
