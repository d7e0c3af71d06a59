import { compareNames } from '@albedo/contract/telemetry/name-order';
import { baseUnit } from '../../ui/units/units.ts';

/** What people look for first, by unit: power, energy, irradiance, load, temperature; then what explains it. */
const UNITS_FIRST: readonly (readonly string[])[] = [
  ['W'],
  ['Wh'],
  ['W/m²'],
  ['%'],
  ['°C'],
  ['m/s'],
  ['VA', 'var', 'VAh', 'varh'],
  ['A'],
  ['V'],
  ['Hz'],
  ['B', 'B/s', 'bit/s'],
];
const RANKS = new Map(UNITS_FIRST.flatMap((units, rank) => units.map((unit) => [unit, rank] as const)));

/** A number that carries a unit says more than one without; a text comes last. */
const OTHER_UNIT = UNITS_FIRST.length;
const NO_UNIT = OTHER_UNIT + 1;
/** Ranks up to that of irradiance tell of a plant rather than of a machine. */
const OF_A_PLANT = RANKS.get('W/m²') ?? 0;
const TEXT = NO_UNIT + 1;

type Value = number | string | null;
type UnitsOf = (field: string) => string | null;

/** The fields of a stream, the meaningful first; of one unit `DC Power` before `DC Power 1`, that before `DC Power 10`. */
export function inMeaningfulOrder(values: Readonly<Record<string, Value>>, unitsOf: UnitsOf): string[] {
  return Object.keys(values)
    .map((field) => ({ field, rank: rankOf(values[field], unitsOf(field)), plane: planeRank(field) }))
    .sort((a, b) => a.rank - b.rank || a.plane - b.plane || compareNames(a.field, b.field))
    .map(({ field }) => field);
}

/** Fields that say at a glance how a source is: numbers, one of each unit but several of the usages. */
export function headlines(values: Readonly<Record<string, Value>>, unitsOf: UnitsOf, most: number): string[] {
  const seen = new Set<string>();
  const numbers = inMeaningfulOrder(values, unitsOf).filter((field) => typeof values[field] === 'number');
  const firsts = numbers.filter((field) => {
    const { unit } = baseUnit(unitsOf(field));
    if (unit === '' || unit === '%') return true;
    return !seen.has(unit) && seen.add(unit);
  });
  return firsts.slice(0, most);
}

/** Of the irradiances, that in the plane of the modules is what a plant is rated by, then the global one. */
function planeRank(field: string): number {
  if (!/irradiance|radiation/i.test(field)) return 0;
  const at = [/plane|\bpoa\b|inclined/i, /global|\bghi\b/i].findIndex((kind) => kind.test(field));
  return at === -1 ? 2 : at;
}

/** Whether a stream measures power, energy or irradiance. */
export const isOfAPlant = (values: Readonly<Record<string, Value>>, unitsOf: UnitsOf): boolean =>
  Object.keys(values).some((field) => rankOf(values[field], unitsOf(field)) <= OF_A_PLANT);

/** Lower is more meaningful; the same for fields of one kind of unit. */
export function rankOf(value: Value | undefined, units: string | null): number {
  if (typeof value === 'string') return TEXT;
  const { unit } = baseUnit(units);
  if (unit === '') return NO_UNIT;
  return RANKS.get(unit) ?? OTHER_UNIT;
}
