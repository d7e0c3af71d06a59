import { unitOfRole } from '@albedo/contract/field-roles/field-roles';
import {
  type KpiAggregate,
  type KpiMetadata,
  type KpiOperator,
  type KpiPeers,
  type KpiValue,
  type NewKpi,
  PERIOD,
} from '@albedo/contract/kpis/kpis.schema';
import { checkExpression, type Expression } from '@albedo/expressions/check';
import { evaluate } from '@albedo/expressions/evaluate';
import { isName } from '@albedo/expressions/tokens';
import { invalid } from '../errors/request-issues.ts';

/** A definition whose names, units and formulas agree. */
export interface CheckedKpi {
  values: Readonly<Record<string, KpiValue>>;
  /** The unit of each value; empty for a plain number. */
  units: ReadonlyMap<string, string>;
  expressions: ReadonlyMap<string, Expression>;
  primary: string | null;
}

/** Throws `request.invalid` with the part at fault: a name, a unit, a formula, a circle. */
export function checkKpi({ values }: Pick<NewKpi, 'values'>): CheckedKpi {
  const names = Object.keys(values);
  const units = new Map<string, string>();
  const expressions = new Map<string, Expression>();
  const settle = (name: string, path: readonly string[]): void => {
    if (units.has(name)) return;
    const value = values[name] as KpiValue;
    if (path.includes(name))
      throw invalid(
        'issue.kpi_circle',
        { name, path: [...path, name].join(' > ') },
        placeOf(name, value.kind === 'peers' ? 'of' : 'formula'),
      );
    if (value.kind === 'peers') {
      if (!names.includes(value.of))
        throw invalid('issue.formula_name', { name: value.of }, placeOf(name, 'of'));
      settle(value.of, [...path, name]);
      units.set(name, unitOfPeers(name, value, units.get(value.of) ?? ''));
      return;
    }
    if (value.kind !== 'formula') {
      units.set(name, plainUnit(name, value));
      return;
    }
    const used = names.filter((one) => wordsIn(value.formula).has(one));
    for (const one of used) settle(one, [...path, name]);
    const { expression, fault } = checkExpression(
      value.formula,
      new Map([[PERIOD, 'h'], ...used.map((one) => [one, units.get(one) || null] as const)]),
      { unit: value.units },
    );
    if (fault) {
      const facts = { at: String(fault.at + 1), what: fault.text };
      throw invalid(
        'issue.formula',
        facts,
        placeOf(name, fault.code === 'result_unit' ? 'units' : 'formula'),
      );
    }
    units.set(name, value.units || expression.unit);
    expressions.set(name, expression);
  };
  for (const name of names) {
    if (!isName(name)) throw invalid('issue.formula_name', { name }, `values.${name}`);
    settle(name, []);
  }
  const primary = names.find((name) => values[name]?.isPrimary) ?? names[0] ?? null;
  return { values, units, expressions, primary };
}

const placeOf = (name: string, part: string): string => `values.${name}.${part}`;

const wordsIn = (formula: string): Set<string> => new Set(formula.match(/[\p{L}_°][\p{L}\p{N}_°]*/gu) ?? []);

function unitOfPeers(name: string, { aggregator, units }: KpiPeers, unit: string): string {
  if (aggregator === 'count') return '';
  // They are what the other value is, so a unit of their own would only be a second name for it.
  if (units === '' || units === unit) return unit;
  throw invalid('issue.kpi_units', { left: unit || 'a plain number', right: units }, placeOf(name, 'units'));
}

function plainUnit(name: string, value: KpiAggregate | KpiMetadata): string {
  if (value.kind === 'metadata') return value.units;
  const { streams } = value;
  const native = 'role' in streams ? unitAfter(value.operator, unitOfRole(streams.role)) : fixedUnit(value);
  if (native === null || value.units === '') return native ?? '';
  if (conversion(native, value.units) === null)
    throw invalid(
      'issue.kpi_units',
      { left: native || 'a plain number', right: value.units },
      placeOf(name, 'units'),
    );
  return value.units;
}

/** The unit that an operator leads to whatever is measured; null where it depends. */
function fixedUnit({ operator, units }: KpiAggregate): string | null {
  return operator === 'count' || operator === 'timeInState' ? unitAfter(operator, '') : units || null;
}

/** The unit of what an operator makes of values in `unit`. */
export function unitAfter(operator: KpiOperator, unit: string): string {
  if (operator === 'count') return '';
  if (operator === 'timeInState') return 'h';
  if (operator !== 'integral') return unit;
  const { expression } = checkExpression('x * h', new Map([['x', unit || null]]));
  return expression?.unit ?? '';
}

/** What a value in one unit is multiplied by to be in the other; null where they measure different things. */
export function conversion(from: string, to: string): number | null {
  if (from === to) return 1;
  const { expression } = checkExpression('x', new Map([['x', from || null]]), { unit: to });
  return expression ? evaluate(expression, new Map([['x', 1]])) : null;
}
