import type { DeviceSchedule, DeviceSetpoint } from '@albedo/contract/schedules/schedules.schema';
import { endOf, type Piece, pieceAt, piecesOf, stepsOf } from './steps.ts';

/** What holds on a setpoint, and how well. */
export interface Holding {
  setpoint: DeviceSetpoint;
  current: DeviceSchedule | null;
  pending: DeviceSchedule | null;
  /** What holds now; null for nothing. Of a fixed provider what its configuration says. */
  value: string | null;
  /** Epoch ms when that ends by itself; null: until it is replaced or released. */
  until: number | null;
  /** What comes next of the current schedule. */
  next: Piece | null;
  /** The current schedule was changed since it was sent: it no longer says until when the value holds. */
  isChanged: boolean;
  followed: number;
  notFollowed: number;
  inverters: number;
}

export function holdingOf(
  setpoint: DeviceSetpoint,
  schedules: readonly DeviceSchedule[],
  now: number,
): Holding {
  const byId = (id: string | null) => schedules.find(({ _id }) => _id === id) ?? null;
  const current = byId(setpoint.currentDeviceSchedule);
  const isChanged = current !== null && current.state !== 'applied' && current.asks !== 'release';
  const pieces = current && !isChanged ? piecesOf(stepsOf(current), endOf(current)) : [];
  const piece = pieceAt(pieces, now);
  const inverters = current?.inverters ?? [];
  const resultsOf = (result: string) => inverters.filter((one) => one.result === result).length;
  return {
    setpoint,
    current,
    pending: byId(setpoint.pendingDeviceSchedule),
    value: piece?.value ?? (setpoint.type === 'fixed' || isChanged ? setpoint.value : null),
    until: piece?.to ?? null,
    next: pieces.find(({ from }) => from > now) ?? null,
    isChanged,
    followed: resultsOf('followed'),
    notFollowed: resultsOf('notFollowed'),
    inverters: inverters.length,
  };
}

/** Setpoints of a device as they are told: active power first, then by path. */
export const bySetpoint = (a: DeviceSetpoint, b: DeviceSetpoint): number =>
  Number(a.kind !== 'setpoint_activepower') - Number(b.kind !== 'setpoint_activepower') ||
  Number(a.type === 'fixed') - Number(b.type === 'fixed') ||
  a.path.localeCompare(b.path);

/** It waits for an approval that this person can give: they neither wrote, changed nor asked for it. */
export const waitsFor = (schedule: DeviceSchedule, email: string, now: number): boolean =>
  waitsForAnybody(schedule, now) &&
  schedule.author !== email &&
  schedule.askedBy !== email &&
  !schedule.editors.includes(email);

export const waitsForAnybody = ({ state, step, approvableUntil }: DeviceSchedule, now: number): boolean =>
  state === 'pending' && step === 'approval' && (approvableUntil === null || approvableUntil > now);

export const isOnTrial = ({ state, trialUntil }: DeviceSchedule, now: number): boolean =>
  state === 'applied' && trialUntil !== null && trialUntil > now;
