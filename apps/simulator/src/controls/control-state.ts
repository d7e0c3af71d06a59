import type { Behaviour } from './behaviours.ts';
import { type Course, courseAt } from './course.ts';

/** The model by which an inverter is controlled: the older immediate controls, or those of IEEE 1547-2018. */
export type ControlModel = 123 | 704;

/** Powers of ten of the values, as the maker chose them. */
export interface ControlScale {
  limit: number;
  cosPhi: number;
  vars: number;
}

export type ControlFunction = 'limit' | 'cosPhi' | 'vars';

/** What base the value of `vars` is a percentage of; `var` is no percentage. */
export type VarBase = 'none' | 'wMax' | 'varMax' | 'varAval' | 'var';

export interface ControlState {
  /** Since when it holds, epoch ms. */
  at: number;
  /** Raw values of all points that can be written, by name. */
  points: Readonly<Record<string, number>>;
  /** Setpoints in force: % of the rating, cosine with its sign (over-excited is positive), % of a base or var. */
  courses: Readonly<Partial<Record<ControlFunction, Course>>>;
  /** When the controller last showed that it lives, epoch ms; null as long as it never did. */
  heartbeatAt: number | null;
}

/** A controller that was heard once and is silent for so long counts as lost. The model leaves the time to the maker. */
export const HEARTBEAT_LIMIT_MS = 60_000;

interface FunctionPoints {
  /** Writing one of them begins a new course. */
  begins: string[];
  enable: string;
  timer: string;
  ramp?: string;
  fallback?: { value: string[]; enable: string };
}

/** Source: model_123.json and model_704.json of github.com/sunspec/models. */
const FUNCTIONS: Record<ControlModel, Record<ControlFunction, FunctionPoints>> = {
  123: {
    limit: {
      begins: ['WMaxLimPct', 'WMaxLimPct_RvrtTms', 'WMaxLim_Ena'],
      enable: 'WMaxLim_Ena',
      timer: 'WMaxLimPct_RvrtTms',
      ramp: 'WMaxLimPct_RmpTms',
    },
    cosPhi: {
      begins: ['OutPFSet', 'OutPFSet_RvrtTms', 'OutPFSet_Ena'],
      enable: 'OutPFSet_Ena',
      timer: 'OutPFSet_RvrtTms',
      ramp: 'OutPFSet_RmpTms',
    },
    vars: {
      begins: ['VArWMaxPct', 'VArMaxPct', 'VArAvalPct', 'VArPct_RvrtTms', 'VArPct_Mod', 'VArPct_Ena'],
      enable: 'VArPct_Ena',
      timer: 'VArPct_RvrtTms',
      ramp: 'VArPct_RmpTms',
    },
  },
  704: {
    limit: {
      begins: ['WMaxLimPct', 'WMaxLimPctRvrtTms', 'WMaxLimPctEna'],
      enable: 'WMaxLimPctEna',
      timer: 'WMaxLimPctRvrtTms',
      fallback: { value: ['WMaxLimPctRvrt'], enable: 'WMaxLimPctRvrtEna' },
    },
    cosPhi: {
      begins: ['PFWInj_PF', 'PFWInj_Ext', 'PFWInjRvrtTms', 'PFWInjEna'],
      enable: 'PFWInjEna',
      timer: 'PFWInjRvrtTms',
      fallback: { value: ['PFWInjRvrt_PF', 'PFWInjRvrt_Ext'], enable: 'PFWInjRvrtEna' },
    },
    vars: {
      begins: ['VarSet', 'VarSetPct', 'VarSetMod', 'VarSetRvrtTms', 'VarSetEna'],
      enable: 'VarSetEna',
      timer: 'VarSetRvrtTms',
      fallback: { value: ['VarSetRvrt', 'VarSetPctRvrt'], enable: 'VarSetRvrtEna' },
    },
  },
};

const NAMES: ControlFunction[] = ['limit', 'cosPhi', 'vars'];

/** What an inverter has before anybody wrote to it. */
export function factoryState(
  model: ControlModel,
  scale: ControlScale,
  behaviours: ReadonlySet<Behaviour>,
): ControlState {
  const full = 100 / 10 ** scale.limit;
  const one = Math.round(1 / 10 ** scale.cosPhi);
  const points: Record<string, number> =
    model === 123
      ? {
          WMaxLimPct: full,
          OutPFSet: one,
          VArPct_Mod: 1,
          // Kept, and without effect: within a window an inverter begins when it likes.
          WMaxLimPct_WinTms: 0,
          OutPFSet_WinTms: 0,
          VArPct_WinTms: 0,
        }
      : {
          WMaxLimPct: full,
          WMaxLimPctRvrt: full,
          PFWInj_PF: one,
          PFWInj_Ext: 0,
          PFWInjRvrt_PF: one,
          PFWInjRvrt_Ext: 0,
          VarSetMod: 1,
          ControllerHb: 0,
        };
  for (const name of NAMES) {
    const { begins, enable, timer, ramp, fallback } = FUNCTIONS[model][name];
    const all = [...begins, enable, timer, ramp, ...(fallback ? [...fallback.value, fallback.enable] : [])];
    for (const point of all) if (point !== undefined) points[point] ??= 0;
  }
  const state: ControlState = {
    at: 0,
    points,
    courses: {},
    heartbeatAt: null,
  };
  if (!behaviours.has('factory-enabled')) return state;
  const limit = { from: 0, start: 100, target: 100, rampMs: 0, endsAt: null, fallback: null };
  const { enable } = FUNCTIONS[model].limit;
  return { ...state, points: { ...points, [enable]: 1 }, courses: { limit } };
}

export interface ControlRules {
  model: ControlModel;
  scale: ControlScale;
  behaviours: ReadonlySet<Behaviour>;
}

/** The state after a write, which takes place as a whole. */
export function written(
  before: ControlState,
  values: Readonly<Record<string, number>>,
  at: number,
  rules: ControlRules,
): ControlState {
  const settled = stateAt(before, at, rules);
  if (rules.behaviours.has('changes-nothing')) return { ...settled, at };
  const points = { ...settled.points, ...rounded(values, rules) };
  const courses = { ...settled.courses };
  for (const name of NAMES) {
    const { begins, enable } = FUNCTIONS[rules.model][name];
    if (!begins.some((point) => point in values)) continue;
    if (points[enable] !== 1) delete courses[name];
    else courses[name] = begun(name, settled, points, at, rules);
  }
  const heartbeatAt = 'ControllerHb' in values ? at : settled.heartbeatAt;
  return { at, points, courses, heartbeatAt };
}

/** The same state at a later instant: what its timers ended by then is over. */
export function stateAt(state: ControlState, at: number, rules: ControlRules): ControlState {
  let { points, courses } = state;
  for (const name of NAMES) {
    const course = courses[name];
    const endsAt = course ? endOf(course, state, rules) : null;
    if (!course || endsAt === null || endsAt > at) continue;
    const { enable, fallback } = FUNCTIONS[rules.model][name];
    const { [name]: _, ...others } = courses;
    if (course.fallback === null || !fallback) {
      points = { ...points, [enable]: 0 };
      courses = others;
    } else {
      const reverted = Object.fromEntries(
        fallback.value.map((point) => [point.replace('Rvrt', ''), points[point] ?? 0]),
      );
      points = { ...points, ...reverted };
      const target = course.fallback;
      courses = {
        ...others,
        [name]: {
          from: endsAt,
          start: target,
          target,
          rampMs: 0,
          endsAt: null,
          fallback: null,
          isFallback: true,
        },
      };
    }
  }
  return { ...state, points, courses };
}

/** Seconds until the timer of a function ends, 0 when none runs. */
export function remainingS(
  state: ControlState,
  name: ControlFunction,
  at: number,
  rules: ControlRules,
): number {
  const course = state.courses[name];
  const endsAt = course ? endOf(course, state, rules) : null;
  return endsAt === null ? 0 : Math.max(0, Math.ceil((endsAt - at) / 1000));
}

/** The limit in force, % of the rating; 100 without one. */
export function limitPct(state: ControlState, at: number, rules: ControlRules): number {
  const course = stateAt(state, at, rules).courses.limit;
  return course ? courseAt(course, at) : 100;
}

/** Instants at which the limit bends or jumps, epoch ms. */
export function limitBends(state: ControlState, rules: ControlRules): number[] {
  const course = state.courses.limit;
  if (!course) return [];
  const endsAt = endOf(course, state, rules);
  return [course.from + course.rampMs, ...(endsAt === null ? [] : [endsAt])];
}

export interface VarSetpoint {
  value: number;
  base: VarBase;
}

/** What somebody has told the inverter, where anybody has. */
export interface Setpoints {
  /** % of the rating. */
  limitPct: number;
  /** Over-excited is positive. */
  cosPhi: number | null;
  vars: VarSetpoint | null;
}

/** Cosine in force with its sign, over-excited positive; null without one. */
export function cosPhi(state: ControlState, at: number, rules: ControlRules): number | null {
  const course = stateAt(state, at, rules).courses.cosPhi;
  return course ? courseAt(course, at) : null;
}

export function vars(state: ControlState, at: number, rules: ControlRules): VarSetpoint | null {
  const settled = stateAt(state, at, rules);
  const course = settled.courses.vars;
  if (!course) return null;
  const base = varBase(settled.points, rules.model);
  return base === 'none' ? null : { value: courseAt(course, at), base };
}

function endOf(course: Course, state: ControlState, rules: ControlRules): number | null {
  const lostAt =
    rules.model === 704 && state.heartbeatAt !== null ? state.heartbeatAt + HEARTBEAT_LIMIT_MS : null;
  // A fallback stays in force, whatever the controller does.
  if (course.isFallback) return null;
  if (lostAt === null || course.endsAt === null) return course.endsAt ?? lostAt;
  return Math.min(course.endsAt, lostAt);
}

function begun(
  name: ControlFunction,
  before: ControlState,
  points: Record<string, number>,
  at: number,
  rules: ControlRules,
): Course {
  const { enable, timer, ramp, fallback } = FUNCTIONS[rules.model][name];
  const running = before.courses[name];
  const wanted = setpointOf(name, points, rules);
  const isEdge = before.points[enable] !== 1;
  const isHeld = rules.behaviours.has('enable-edge') && !isEdge && running !== undefined;
  const target = isHeld ? running.target : wanted;
  const timerMs = (points[timer] ?? 0) * 1000;
  const endsAt = timerMs > 0 ? at + timerMs : null;
  const then = fallback && points[fallback.enable] === 1 ? fallbackOf(name, points, rules) : null;
  // A renewal goes on with the ramp that it is on.
  if (running && !running.isFallback && running.target === target)
    return { ...running, endsAt, fallback: then };
  const neutral = name === 'limit' ? 100 : name === 'cosPhi' ? 1 : 0;
  const start = running ? courseAt(running, at) : neutral;
  const rampMs = (ramp ? (points[ramp] ?? 0) : 0) * 1000;
  return { from: at, start, target, rampMs, endsAt, fallback: then };
}

function setpointOf(name: ControlFunction, points: Readonly<Record<string, number>>, rules: ControlRules) {
  const { model, scale } = rules;
  if (name === 'limit') return (points.WMaxLimPct ?? 0) * 10 ** scale.limit;
  if (name === 'cosPhi') {
    if (model === 123) return (points.OutPFSet ?? 0) * 10 ** scale.cosPhi;
    return (points.PFWInj_PF ?? 0) * 10 ** scale.cosPhi * (points.PFWInj_Ext === 1 ? -1 : 1);
  }
  const base = varBase(points, model);
  if (base === 'var') return points.VarSet ?? 0;
  if (model === 704) return (points.VarSetPct ?? 0) * 10 ** scale.vars;
  const point = base === 'wMax' ? 'VArWMaxPct' : base === 'varMax' ? 'VArMaxPct' : 'VArAvalPct';
  return (points[point] ?? 0) * 10 ** scale.vars;
}

/** Of model 704 alone: the value that holds once the timer has ended. */
function fallbackOf(name: ControlFunction, points: Record<string, number>, rules: ControlRules): number {
  const names = FUNCTIONS[rules.model][name].fallback?.value ?? [];
  const moved = Object.fromEntries(names.map((point) => [point.replace('Rvrt', ''), points[point] ?? 0]));
  return setpointOf(name, { ...points, ...moved }, rules);
}

function varBase(points: Readonly<Record<string, number>>, model: ControlModel): VarBase {
  const modes: VarBase[] = ['none', 'wMax', 'varMax', 'varAval', 'var'];
  return modes[points[model === 123 ? 'VArPct_Mod' : 'VarSetMod'] ?? 0] ?? 'none';
}

function rounded(values: Readonly<Record<string, number>>, { scale, behaviours }: ControlRules) {
  if (!behaviours.has('rounds-up') || values.WMaxLimPct === undefined) return values;
  const percent = values.WMaxLimPct * 10 ** scale.limit;
  return { ...values, WMaxLimPct: Math.round((Math.ceil(percent / 50) * 50) / 10 ** scale.limit) };
}
