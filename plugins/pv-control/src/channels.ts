import { type Setpoint, type SetpointKind, setpointText } from '@albedo/contract/schedules/setpoints';
import type { InverterConfig } from './config.ts';
import { timerOf } from './config.ts';

/** Values of registers by name, unsigned, as they are on the wire; in the order in which they are written. */
export type Raw = Record<string, number>;

export interface Register {
  name: string;
  /** Counted from the id of its model. */
  at: number;
  size: 1 | 2;
  isSigned?: boolean;
  /** Timers count down on some inverters, and are not compared. */
  isTimer?: boolean;
}

/** The controls of one inverter, by the model that it has. Source: model_123.json and model_704.json of sunspec/models. */
export interface ControlMap {
  model: 123 | 704;
  registers: ReadonlyMap<string, Register>;
  enables: Readonly<Record<SetpointKind, string>>;
  /** What `encode` may name for a kind, in the order of writing; the enable is last. */
  names: Readonly<Record<SetpointKind, readonly string[]>>;
  scales: { limit: number; cosPhi: number; vars: number; varPlain: number };
}

const register = (name: string, at: number, size: 1 | 2 = 1, more: Partial<Register> = {}): Register => ({
  name,
  at,
  size,
  ...more,
});
const timer = (name: string, at: number, size: 1 | 2 = 1) => register(name, at, size, { isTimer: true });
const signed = (name: string, at: number, size: 1 | 2 = 1) => register(name, at, size, { isSigned: true });

const REGISTERS_123 = [
  register('WMaxLimPct', 5),
  timer('WMaxLimPct_RvrtTms', 7),
  timer('WMaxLimPct_RmpTms', 8),
  register('WMaxLim_Ena', 9),
  signed('OutPFSet', 10),
  timer('OutPFSet_RvrtTms', 12),
  timer('OutPFSet_RmpTms', 13),
  register('OutPFSet_Ena', 14),
  signed('VArWMaxPct', 15),
  signed('VArMaxPct', 16),
  signed('VArAvalPct', 17),
  timer('VArPct_RvrtTms', 19),
  timer('VArPct_RmpTms', 20),
  register('VArPct_Mod', 21),
  register('VArPct_Ena', 22),
];

/** Older devices have percentages of one register in it. */
function registers704(length: number): { list: Register[]; scaleAt: number } {
  const wide = length >= 69 ? 2 : 1;
  const varAt = 32 - (wide === 2 ? 0 : 2) + 5;
  const pctAt = varAt + 7;
  const endAt = pctAt + 2 * wide;
  const scaleAt = endAt + 9;
  const list = [
    register('PFWInjEna', 2),
    register('PFWInjRvrtEna', 3),
    timer('PFWInjRvrtTms', 4, 2),
    register('WMaxLimPctEna', 14),
    register('WMaxLimPct', 15),
    register('WMaxLimPctRvrt', 16),
    register('WMaxLimPctRvrtEna', 17),
    timer('WMaxLimPctRvrtTms', 18, 2),
    register('VarSetEna', varAt),
    register('VarSetMod', varAt + 1),
    signed('VarSet', varAt + 3, 2),
    signed('VarSetPct', pctAt, wide),
    register('VarSetRvrtEna', endAt),
    timer('VarSetRvrtTms', endAt + 1, 2),
    register('PFWInj_PF', scaleAt + 6),
    register('PFWInj_Ext', scaleAt + 7),
  ];
  return { list, scaleAt };
}

/** What a model offers; `block` are its registers with the id at 0. */
export function controlMap(model: 123 | 704, block: readonly number[]): ControlMap {
  const power = (at: number) => {
    const raw = block[at] ?? 0x8000;
    const value = raw > 0x7fff ? raw - 0x1_0000 : raw;
    return Math.abs(value) > 10 ? 0 : value;
  };
  if (model === 123)
    return {
      model,
      registers: new Map(REGISTERS_123.map((one) => [one.name, one])),
      enables: {
        setpoint_activepower: 'WMaxLim_Ena',
        setpoint_cosphi: 'OutPFSet_Ena',
        setpoint_reactivepower: 'VArPct_Ena',
      },
      names: {
        setpoint_activepower: ['WMaxLimPct_RvrtTms', 'WMaxLimPct_RmpTms', 'WMaxLimPct', 'WMaxLim_Ena'],
        setpoint_cosphi: ['OutPFSet_RvrtTms', 'OutPFSet_RmpTms', 'OutPFSet', 'OutPFSet_Ena'],
        setpoint_reactivepower: [
          'VArPct_RvrtTms',
          'VArPct_RmpTms',
          'VArPct_Mod',
          'VArWMaxPct',
          'VArMaxPct',
          'VArAvalPct',
          'VArPct_Ena',
        ],
      },
      scales: { limit: power(23), cosPhi: power(24), vars: power(25), varPlain: 0 },
    };
  const { list, scaleAt } = registers704(block[1] ?? 0);
  return {
    model,
    registers: new Map(list.map((one) => [one.name, one])),
    enables: {
      setpoint_activepower: 'WMaxLimPctEna',
      setpoint_cosphi: 'PFWInjEna',
      setpoint_reactivepower: 'VarSetEna',
    },
    names: {
      setpoint_activepower: [
        'WMaxLimPctRvrt',
        'WMaxLimPctRvrtEna',
        'WMaxLimPctRvrtTms',
        'WMaxLimPct',
        'WMaxLimPctEna',
      ],
      setpoint_cosphi: ['PFWInjRvrtEna', 'PFWInjRvrtTms', 'PFWInj_PF', 'PFWInj_Ext', 'PFWInjEna'],
      setpoint_reactivepower: [
        'VarSetRvrtEna',
        'VarSetRvrtTms',
        'VarSetMod',
        'VarSet',
        'VarSetPct',
        'VarSetEna',
      ],
    },
    scales: {
      cosPhi: power(scaleAt),
      limit: power(scaleAt + 1),
      varPlain: power(scaleAt + 4),
      vars: power(scaleAt + 5),
    },
  };
}

/** What one inverter is to be told, after the plant's value was shared. */
export type Target =
  | { kind: 'setpoint_activepower'; percent: number }
  | Extract<Setpoint, { kind: 'setpoint_cosphi' | 'setpoint_reactivepower' }>;

/**
 * Registers that say it, in the order of writing, with the enable last. A register that the inverter does not have is
 * left out. A limit is rounded down, so that the plant keeps it.
 */
export function encode(
  target: Target,
  map: ControlMap,
  of: InverterConfig,
  block: readonly number[],
  ratedW: number,
): Raw {
  const all = valuesOf(target, map, of, ratedW);
  const has = (name: string) => isThere(map.registers.get(name), block);
  return Object.fromEntries(
    map.names[target.kind].flatMap((name) => {
      const value = all[name];
      const isEnable = name === map.enables[target.kind];
      return value === undefined || (!isEnable && !has(name)) ? [] : [[name, unsigned(map, name, value)]];
    }),
  );
}

function valuesOf(target: Target, map: ControlMap, of: InverterConfig, ratedW: number): Raw {
  const { scales, model } = map;
  const timerS = timerOf(of, target.kind);
  const counts = (value: number, power: number) => Math.round(value / 10 ** power);
  if (target.kind === 'setpoint_activepower') {
    const WMaxLimPct = Math.floor(target.percent / 10 ** scales.limit + 1e-6);
    if (model === 123)
      return { WMaxLimPct_RvrtTms: timerS, WMaxLimPct_RmpTms: of.ramp, WMaxLimPct, WMaxLim_Ena: 1 };
    const fallback = of.fallback === undefined ? {} : { WMaxLimPctRvrt: counts(of.fallback, scales.limit) };
    const WMaxLimPctRvrtEna = of.fallback === undefined || timerS === 0 ? 0 : 1;
    return { ...fallback, WMaxLimPctRvrtEna, WMaxLimPctRvrtTms: timerS, WMaxLimPct, WMaxLimPctEna: 1 };
  }
  if (target.kind === 'setpoint_cosphi') {
    const raw = counts(target.value, scales.cosPhi);
    const isUnder = target.excitation === 'under-excited';
    if (model === 704)
      return {
        PFWInjRvrtEna: 0,
        PFWInjRvrtTms: timerS,
        PFWInj_PF: raw,
        PFWInj_Ext: isUnder ? 1 : 0,
        PFWInjEna: 1,
      };
    const isNegative = isUnder === (of.over_excited === 'positive');
    return {
      OutPFSet_RvrtTms: timerS,
      OutPFSet_RmpTms: of.ramp,
      OutPFSet: isNegative ? -raw : raw,
      OutPFSet_Ena: 1,
    };
  }
  const { base, value } = target;
  if (model === 704) {
    const common = { VarSetRvrtEna: 0, VarSetRvrtTms: timerS, VarSetEna: 1 };
    if (base === 'var') return { ...common, VarSetMod: 4, VarSet: counts(value, scales.varPlain) };
    const mode = { WMax: 1, VArMax: 2, VArAval: 3 }[base];
    return { ...common, VarSetMod: mode, VarSetPct: counts(value, scales.vars) };
  }
  // The model has no var, so it is said as a part of the rated power.
  const percent = base === 'var' ? (100 * value) / ratedW : value;
  const [mode, name] = {
    WMax: [1, 'VArWMaxPct'] as const,
    var: [1, 'VArWMaxPct'] as const,
    VArMax: [2, 'VArMaxPct'] as const,
    VArAval: [3, 'VArAvalPct'] as const,
  }[base];
  return {
    VArPct_RvrtTms: timerS,
    VArPct_RmpTms: of.ramp,
    VArPct_Mod: mode,
    [name]: counts(percent, scales.vars),
    VArPct_Ena: 1,
  };
}

/** The register that says how much, of those that a setpoint is made of. */
export function valueRegister(kind: SetpointKind, map: ControlMap, raw: Raw): string {
  if (kind === 'setpoint_activepower') return 'WMaxLimPct';
  if (kind === 'setpoint_cosphi') return map.model === 123 ? 'OutPFSet' : 'PFWInj_PF';
  if (map.model === 704) return raw.VarSetMod === 4 ? 'VarSet' : 'VarSetPct';
  return ['VArWMaxPct', 'VArMaxPct', 'VArAvalPct'][(raw.VArPct_Mod ?? 1) - 1] ?? 'VArWMaxPct';
}

/** What registers say, for people: `60%`, `0.95 under-excited`, `-20% VArMax`, or `off`. */
export function decode(kind: SetpointKind, map: ControlMap, raw: Raw, of: InverterConfig): string {
  if (raw[map.enables[kind]] !== 1) return 'off';
  const name = valueRegister(kind, map, raw);
  const place = map.registers.get(name);
  const counts = place ? signedOf(place, raw[name] ?? 0) : 0;
  const at = (power: number) => Number((counts * 10 ** power).toFixed(Math.max(0, -power)));
  if (kind === 'setpoint_activepower') return `${at(map.scales.limit)}%`;
  if (kind === 'setpoint_cosphi') {
    const value = at(map.scales.cosPhi);
    const isUnder = map.model === 704 ? raw.PFWInj_Ext === 1 : value < 0 === (of.over_excited === 'positive');
    return `${Math.abs(value)} ${isUnder ? 'under-excited' : 'over-excited'}`;
  }
  if (name === 'VarSet') return `${at(map.scales.varPlain)} var`;
  const base =
    map.model === 704
      ? ['', 'WMax', 'VArMax', 'VArAval'][raw.VarSetMod ?? 1]
      : name.slice(0, -3).replace('VArWMax', 'WMax');
  return `${at(map.scales.vars)}% ${base}`;
}

/** Powers of ten that values of a kind are given in. */
export const scaleOf = (kind: SetpointKind, map: ControlMap, name: string): number =>
  kind === 'setpoint_activepower'
    ? map.scales.limit
    : kind === 'setpoint_cosphi'
      ? map.scales.cosPhi
      : name === 'VarSet'
        ? map.scales.varPlain
        : map.scales.vars;

/** What one inverter is told, as people say it. */
export const targetText = (target: Target): string =>
  target.kind === 'setpoint_activepower' ? `${Number(target.percent.toFixed(2))}%` : setpointText(target);

/** Values that a block of registers has now. */
export function readRaw(names: Iterable<string>, map: ControlMap, block: readonly number[]): Raw {
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const place = map.registers.get(name);
      return place ? [[name, rawAt(place, block)]] : [];
    }),
  );
}

/** Names whose values are not as wanted; one count is a matter of rounding. */
export function differences(wanted: Raw, found: Raw, map: ControlMap): string[] {
  return Object.entries(wanted).flatMap(([name, raw]) => {
    const place = map.registers.get(name);
    if (!place || place.isTimer) return [];
    const isValue = /Pct(Rvrt)?$|OutPFSet$|_PF$|^VarSet$/.test(name);
    const apart = Math.abs(signedOf(place, raw) - signedOf(place, found[name] ?? 0));
    return apart > (isValue ? 1 : 0) ? [name] : [];
  });
}

export const wordsOf = ({ size }: Register, raw: number): number[] =>
  size === 1 ? [raw] : [Math.floor(raw / 0x1_0000), raw % 0x1_0000];

export const signedOf = ({ size, isSigned }: Register, raw: number): number => {
  const full = size === 1 ? 0x1_0000 : 0x1_0000_0000;
  return isSigned && raw >= full / 2 ? raw - full : raw;
};

const rawAt = ({ at, size }: Register, block: readonly number[]): number =>
  size === 1 ? (block[at] ?? 0) : (block[at] ?? 0) * 0x1_0000 + (block[at + 1] ?? 0);

function unsigned(map: ControlMap, name: string, value: number): number {
  const full = map.registers.get(name)?.size === 2 ? 0x1_0000_0000 : 0x1_0000;
  return value < 0 ? full + value : value;
}

/** An inverter says so where it does not have a point. */
function isThere(place: Register | undefined, block: readonly number[]): boolean {
  if (!place) return false;
  const raw = rawAt(place, block);
  if (place.isSigned) return raw !== (place.size === 1 ? 0x8000 : 0x8000_0000);
  return raw !== (place.size === 1 ? 0xffff : 0xffff_ffff);
}
