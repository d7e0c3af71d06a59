import type { Target } from './channels.ts';
import { isAsleep, type Measured } from './inverter.ts';

export type Verdict = 'followed' | 'not followed' | 'not testable yet';

export interface Judged {
  verdict: Verdict;
  /** Why nobody can tell, or what is not as it should be; empty where it is followed. */
  why: string;
}

const FOLLOWED: Judged = { verdict: 'followed', why: '' };
const untestable = (why: string): Judged => ({ verdict: 'not testable yet', why });

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
export function verdictOf(target: Target, measured: Measured, ratedW: number, couldMake: boolean): Judged {
  const { powerW, reactiveVar } = measured;
  if (powerW === null) return untestable('it does not say what it makes');
  if (isAsleep(measured)) return untestable('it is asleep');
  if (target.kind === 'setpoint_activepower') {
    const limitW = (target.percent * ratedW) / 100;
    const toleranceW = POWER_TOLERANCE * ratedW;
    if (powerW > limitW + toleranceW)
      return notFollowed(`it makes ${Math.round(powerW)} W, more than ${Math.round(limitW)} W`);
    // Its registers say so, and no power speaks against it.
    if (target.percent >= 100) return FOLLOWED;
    const isAtLimit = powerW >= limitW - toleranceW;
    return measured.state === THROTTLED || (isAtLimit && couldMake)
      ? FOLLOWED
      : untestable(`it makes ${Math.round(powerW)} W, less than it may`);
  }
  if (reactiveVar === null) return untestable('it does not say its reactive power');
  if (powerW < LEAST_POWER * ratedW) return untestable('it makes too little to tell');
  const wantedVar = reactiveOf(target, powerW, ratedW);
  if (wantedVar === null) return untestable('what it has available is its own affair');
  if (Math.abs(reactiveVar - wantedVar) <= REACTIVE_TOLERANCE * ratedW) return FOLLOWED;
  const isFull = Math.hypot(powerW, wantedVar) > ratedW;
  return isFull && Math.sign(reactiveVar) === Math.sign(wantedVar)
    ? untestable('it has no more to give beside its active power')
    : notFollowed(`it has ${Math.round(reactiveVar)} var instead of ${Math.round(wantedVar)} var`);
}

const notFollowed = (why: string): Judged => ({ verdict: 'not followed', why });

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
