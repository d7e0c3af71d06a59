import { parseSetpoint } from '@albedo/contract/schedules/setpoints';
import type { VersionRow } from './control.store.ts';

/** Epoch ms; `to` is not part of it. */
export interface CurtailedTime {
  from: number;
  to: number;
}

export interface CurtailedQuestion {
  from: number;
  to: number;
  /** Devices with their AC ratings, W; null where that is not known. */
  devices: ReadonlyMap<string, number | null>;
}

export type LimitedVersion = Pick<
  VersionRow,
  'deviceId' | 'ordered' | 'endsAt' | 'sentAt' | 'triedAt' | 'takenAt' | 'endedAt'
>;

/** When versions of active power held less than all of it, by device: rising, none touches the next. */
export function curtailedTimesOf(
  versions: readonly LimitedVersion[],
  { from, to, devices }: CurtailedQuestion,
): Map<string, CurtailedTime[]> {
  const times = new Map<string, CurtailedTime[]>();
  for (const [device, own] of Map.groupBy(versions, ({ deviceId }) => deviceId)) {
    const all = own.flatMap((version) => limitedTimes(version, { from, to }, devices.get(device) ?? null));
    if (all.length > 0) times.set(device, joined(all));
  }
  return times;
}

/** From when the device may have had it until it ended. */
function limitedTimes(
  { ordered, endsAt, sentAt, triedAt, takenAt, endedAt }: LimitedVersion,
  { from, to }: CurtailedTime,
  ratedW: number | null,
): CurtailedTime[] {
  const begin = Math.max(from, (triedAt ?? takenAt ?? sentAt).getTime());
  const end = Math.min(to, endsAt ?? to, endedAt?.getTime() ?? to);
  return ordered.flatMap(({ datetime, value }, at) => {
    if (!isLimit(value, ratedW)) return [];
    const next = ordered[at + 1];
    const own = {
      from: Math.max(begin, Date.parse(datetime)),
      to: Math.min(end, next ? Date.parse(next.datetime) : end),
    };
    return own.from < own.to ? [own] : [];
  });
}

/** Under 100 %, or under the rating; what cannot be compared with a rating is a limit. */
function isLimit(value: string, ratedW: number | null): boolean {
  if (value === '') return false;
  const setpoint = parseSetpoint('setpoint_activepower', value);
  if (setpoint.kind !== 'setpoint_activepower') return false;
  return setpoint.unit === '%' ? setpoint.value < 100 : ratedW === null || setpoint.value < ratedW;
}

function joined(times: readonly CurtailedTime[]): CurtailedTime[] {
  const all: CurtailedTime[] = [];
  for (const time of times.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last && time.from <= last.to) last.to = Math.max(last.to, time.to);
    else all.push({ ...time });
  }
  return all;
}
