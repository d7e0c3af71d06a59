import type { Target } from './channels.ts';
import { isAsleep, type Measured } from './inverter.ts';

export type Verdict = 'followed' | 'not followed' | 'not testable yet';

/** What power may be off and still be the one that was asked for, as a part of the rated power. */
const POWER_TOLERANCE = 0.02;
const REACTIVE_TOLERANCE = 0.03;
/** Below this part of the rated power the power factor says little. */
const LEAST_POWER = 0.1;
const THROTTLED = 5;

/**
 * Whether an inverter does what its registers say.
 *
 * Less power than the limit is no proof: it may be dawn, or a cloud. `couldMake` says that it made more than the limit
 * before, or is throttled.
 */
export function verdictOf(target: Target, measured: Measured, ratedW: number, couldMake: boolean): Verdict {
  const { powerW, reactiveVar } = measured;
  if (powerW === null || isAsleep(measured)) return 'not testable yet';
  if (target.kind === 'setpoint_activepower') {
    const limitW = (target.percent * ratedW) / 100;
    const toleranceW = POWER_TOLERANCE * ratedW;
    if (powerW > limitW + toleranceW) return 'not followed';
    const isAtLimit = powerW >= limitW - toleranceW;
    return target.percent < 100 && (measured.state === THROTTLED || (isAtLimit && couldMake))
      ? 'followed'
      : 'not testable yet';
  }
  if (reactiveVar === null || powerW < LEAST_POWER * ratedW) return 'not testable yet';
  const wantedVar = reactiveOf(target, powerW, ratedW);
  // What the inverter has available, or can do at most, is its own affair.
  if (wantedVar === null) return 'not testable yet';
  if (Math.abs(reactiveVar - wantedVar) <= REACTIVE_TOLERANCE * ratedW) return 'followed';
  const isFull = Math.hypot(powerW, wantedVar) > ratedW;
  return isFull && Math.sign(reactiveVar) === Math.sign(wantedVar) ? 'not testable yet' : 'not followed';
}

function reactiveOf(
  target: Exclude<Target, { kind: 'setpoint_activepower' }>,
  powerW: number,
  ratedW: number,
) {
  if (target.kind === 'setpoint_cosphi') {
    const size = powerW * Math.tan(Math.acos(target.value));
    return target.excitation === 'under-excited' ? -size : size;
  }
  if (target.base === 'var') return target.value;
  return target.base === 'WMax' ? (target.value * ratedW) / 100 : null;
}
