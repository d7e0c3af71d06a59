import { providerOfPath } from '@albedo/contract/schedules/schedules.names';
import type {
  DeviceSchedule,
  DeviceSetpoint,
  Schedule,
  ScheduleVersion,
} from '@albedo/contract/schedules/schedules.schema';
import type { DeviceScheduleRow, SetpointRow, VersionRow } from './control.store.ts';
import type { ScheduleRow } from './schedules.store.ts';
import { isInForce, NOTHING, overrideLine, type Timeline } from './timeline.ts';

const ms = (at: Date | null): number | null => at?.getTime() ?? null;

export const scheduleOf = (row: ScheduleRow, devices: readonly string[]): Schedule => ({
  _id: row.id,
  name: row.name,
  description: row.description,
  entries: row.entries,
  devices: [...devices],
  author: row.author,
  changedAt: row.changedAt.getTime(),
});

export const deviceScheduleOf = (row: DeviceScheduleRow): DeviceSchedule => ({
  _id: row.id,
  deviceId: row.deviceId,
  setpoint: row.setpoint,
  schedule: row.scheduleId,
  entries: row.entries,
  name: row.name,
  description: row.description,
  until: row.until?.toISOString() ?? null,
  origin: row.origin,
  state: row.state,
  step: row.step,
  asks: row.asked?.what ?? null,
  askedBy: row.asked?.email ?? null,
  reason: row.reason,
  version: row.version,
  author: row.author,
  editors: row.editors,
  approver: row.approver,
  changedAt: row.changedAt.getTime(),
  approvableUntil: ms(row.approvableUntil),
  trialUntil: ms(row.trialUntil),
  appliedAt: ms(row.appliedAt),
  inverters: row.inverters,
});

export const deviceSetpointOf = (row: SetpointRow, pending: string | null): DeviceSetpoint => ({
  deviceId: row.deviceId,
  path: row.path,
  kind: row.kind,
  provider: providerOfPath(row.path),
  type: row.type,
  isEnabled: row.isEnabled,
  value: row.value,
  fault: row.fault,
  currentDeviceSchedule: row.currentId,
  pendingDeviceSchedule: pending,
  bounds: row.bounds,
  discoveredAt: row.discoveredAt.getTime(),
});

export const versionOf = (row: VersionRow): ScheduleVersion => ({
  deviceScheduleId: row.deviceScheduleId,
  deviceId: row.deviceId,
  setpoint: row.setpoint,
  version: row.version,
  name: row.name,
  origin: row.origin,
  entries: row.entries,
  until: row.until?.toISOString() ?? null,
  author: row.author,
  approver: row.approver,
  reason: row.reason,
  outcome: row.outcome,
  why: row.why,
  sentAt: row.sentAt.getTime(),
  endedAt: ms(row.endedAt),
});

/** What a version holds by itself; nothing for none and for a release. */
export const lineOf = (row: Pick<VersionRow, 'entries' | 'until'> | undefined): Timeline =>
  row ? { entries: row.entries, endsAt: ms(row.until) } : NOTHING;

/** What holds while `version` does, with `base` under it where it was set by hand. */
export function wholeLine(
  version: Pick<VersionRow, 'entries' | 'until' | 'origin'> | undefined,
  base: Timeline,
): Timeline {
  const [entry] = version?.entries ?? [];
  if (version?.origin !== 'override' || !entry || !version.until) return lineOf(version);
  const from = Date.parse(entry.datetime);
  const until = version.until.getTime();
  return overrideLine(base, { value: entry.value, from, leaseUntil: until });
}

/** Whether a version would still hold something. */
export const isGood = (row: VersionRow | undefined, at: number): row is VersionRow =>
  row !== undefined && row.origin !== 'release' && isInForce(lineOf(row), at);
