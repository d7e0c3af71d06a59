import { OVERRIDE_LEASE_MS } from '@albedo/contract/schedules/schedules.names';
import { parseSetpoint, type SetpointKind } from '@albedo/contract/schedules/setpoints';

export interface TimedValue {
  datetime: string;
  /** Empty where nothing holds from then on. */
  value: string;
}

/** What holds on a setpoint: entries, and an end after which nothing does (epoch ms; null for none). */
export interface Timeline {
  entries: readonly TimedValue[];
  endsAt: number | null;
}

export const NOTHING: Timeline = { entries: [], endsAt: null };
/** An order says an override from a little earlier on, so that it holds at once on a device whose clock is behind, ms. */
const CLOCKS_MS = 120_000;

/** What holds at an instant; empty for nothing. */
export function heldAt({ entries, endsAt }: Timeline, at: number): string {
  if (endsAt !== null && at >= endsAt) return '';
  return entries.findLast(({ datetime }) => Date.parse(datetime) <= at)?.value ?? '';
}

/** The values that hold at some time from `from` to `to`. */
export function changesWithin(line: Timeline, from: number, to: number): string[] {
  return instants([line], from)
    .filter((at) => at <= to)
    .map((at) => heldAt(line, at));
}

/** Whether anything holds at an instant or later. */
export const isInForce = ({ entries, endsAt }: Timeline, at: number): boolean =>
  entries.length > 0 && (endsAt === null || at < endsAt);

/** Instants from `from` on at which one of them may change. */
function instants(lines: readonly Timeline[], from: number): number[] {
  const all = lines.flatMap(({ entries, endsAt }) => [
    ...entries.map(({ datetime }) => Date.parse(datetime)),
    ...(endsAt === null ? [] : [endsAt]),
  ]);
  return [...new Set([from, ...all.filter((at) => at > from)])].sort((a, b) => a - b);
}

/** Whether a value lets an inverter make nothing. */
export function isZero(kind: SetpointKind, value: string): boolean {
  if (kind !== 'setpoint_activepower' || value === '') return false;
  return parseSetpoint(kind, value).value === 0;
}

/** Whether all that `next` changes from `from` on is a stop: whatever else held goes on, so that nothing is loosened. */
export function isStopOf(kind: SetpointKind, before: Timeline, next: Timeline, from: number): boolean {
  let stops = false;
  for (const at of instants([before, next], from)) {
    const value = heldAt(next, at);
    if (isZero(kind, value)) stops = true;
    else if (value !== heldAt(before, at)) return false;
  }
  return stops;
}

/** When the lease of an override ends that begins now, or is renewed now. */
export const leaseFrom = (now: number, until: number): number => Math.min(until, now + OVERRIDE_LEASE_MS);

/**
 * A value by hand over what holds: until its lease ends; then what held goes on, also where nobody hears of the cloud any
 * more.
 */
export function overrideLine(
  base: Timeline,
  { value, from, leaseUntil }: { value: string; from: number; leaseUntil: number },
): Timeline {
  const goesOn = isInForce(base, leaseUntil);
  const iso = (at: number) => new Date(at).toISOString();
  const later = base.entries.filter(({ datetime }) => Date.parse(datetime) > leaseUntil);
  const rest = goesOn ? [{ datetime: iso(leaseUntil), value: heldAt(base, leaseUntil) }, ...later] : [];
  return {
    entries: [{ datetime: iso(from - CLOCKS_MS), value }, ...rest],
    endsAt: goesOn ? base.endsAt : leaseUntil,
  };
}
