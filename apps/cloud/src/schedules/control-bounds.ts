import { type IssueName, issueText } from '@albedo/contract/failures/issues';
import { kindOfPath } from '@albedo/contract/schedules/schedules.names';
import type { RehearsalOnDevice, SetpointBounds } from '@albedo/contract/schedules/schedules.schema';
import { parseSetpoint, type SetpointKind } from '@albedo/contract/schedules/setpoints';
import { wallTime } from '@albedo/contract/time/zoned-time';
import type { TimedValue } from './timeline.ts';

/** What stands against a schedule, with the part that it is about. */
export interface Problem {
  part: string;
  issue: IssueName;
  facts: Record<string, string>;
  message: string;
}

const MINUTE_MS = 60_000;

export const problem = (part: string, issue: IssueName, facts: Record<string, string>): Problem => ({
  part,
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
 * base. Null where that cannot be told, such as for W on a device whose rating is unknown.
 */
export function measureOf(kind: SetpointKind, value: string, ratedW: number | null): number | null {
  if (value === '') return NEUTRAL[kind];
  const setpoint = parseSetpoint(kind, value);
  if (setpoint.kind === 'setpoint_cosphi') return Math.round((1 - setpoint.value) * 1e9) / 1e9;
  if (setpoint.kind === 'setpoint_reactivepower') return setpoint.base === 'var' ? null : setpoint.value;
  if (setpoint.unit === '%') return setpoint.value;
  return ratedW ? (setpoint.value / ratedW) * 100 : null;
}

/** Whether bounds can be told of these values only with what the device says of its inverters. */
export function needsDevice(bounds: SetpointBounds, entries: readonly TimedValue[]): boolean {
  const isMeasured = [bounds.least, bounds.most, bounds.step, bounds.rampPerMinute].some(
    (one) => one !== null,
  );
  const isAbsolute = entries.some(({ value }) => /W$/.test(value));
  return bounds.whenLost !== null || bounds.persistentWritesADay !== null || (isMeasured && isAbsolute);
}

interface Checked {
  path: string;
  bounds: SetpointBounds;
  entries: readonly TimedValue[];
  until: number | null;
  /** Of the site. */
  zone: string;
  now: number;
  /** What the device said; null where nobody asked it. */
  device: Pick<RehearsalOnDevice, 'inverters'> | null;
}

/** All that keeps a schedule from being applied. */
export function problemsOf(of: Checked): Problem[] {
  const rated = of.device?.inverters.reduce((sum, { ratedKw }) => sum + (ratedKw ?? 0), 0) ?? 0;
  const measures = of.entries.map(({ value }) =>
    measureOf(kindOfPath(of.path), value, rated > 0 ? rated * 1000 : null),
  );
  return [
    ...of.entries.flatMap((entry, at) => rangeProblems(of.bounds, entry, measures[at] ?? null, at)),
    ...of.entries.flatMap((entry, at) => stepProblems(of, entry, measures, at)),
    ...writeProblems(of),
    ...inverterProblems(of),
  ];
}

const partOf = (at: number): string => `entries.${at}.value`;

function rangeProblems(
  { least, most }: SetpointBounds,
  { value }: TimedValue,
  measure: number | null,
  at: number,
): Problem[] {
  if (value === '' || measure === null) return [];
  if (least !== null && measure < least)
    return [problem(partOf(at), 'issue.bound_least', { value, bound: String(least) })];
  if (most !== null && measure > most)
    return [problem(partOf(at), 'issue.bound_most', { value, bound: String(most) })];
  return [];
}

function stepProblems(
  { bounds, entries }: Checked,
  { datetime, value }: TimedValue,
  measures: readonly (number | null)[],
  at: number,
): Problem[] {
  const earlier = entries[at - 1];
  if (!earlier) return [];
  const { step, rampPerMinute, dwellMinutes } = bounds;
  const [before, after] = [measures[at - 1] ?? null, measures[at] ?? null];
  const minutes = (Date.parse(datetime) - Date.parse(earlier.datetime)) / MINUTE_MS;
  const change = before === null || after === null ? 0 : Math.abs(after - before);
  const words = { before: earlier.value || 'nothing', value: value || 'nothing' };
  const found: Problem[] = [];
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

/** What inverters cannot do. One that takes no writes, or is away, keeps nothing from the others; all of them together do. */
function inverterProblems({ bounds, device }: Checked): Problem[] {
  if (!device) return [];
  const found: Problem[] = [];
  const readonly = device.inverters.filter(({ mayWrite }) => mayWrite === 'no');
  if (readonly.length > 0 && readonly.length === device.inverters.length)
    for (const { name, why } of readonly)
      found.push(problem('inverters', 'issue.inverter_readonly', { inverter: name, why }));
  if (device.inverters.length > 0 && device.inverters.every(({ isReached }) => !isReached))
    for (const { name, why } of device.inverters)
      found.push(problem('inverters', 'issue.inverter_away', { inverter: name, why }));
  const wanted = bounds.whenLost;
  for (const { name, whenLost, isReached, mayWrite } of device.inverters)
    if (wanted !== null && isReached && mayWrite !== 'no' && whenLost !== wanted)
      found.push(problem('bounds.whenLost', 'issue.when_lost', { inverter: name, wanted, able: whenLost }));
  return found;
}
