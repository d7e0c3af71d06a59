import type { FormulaText, SeriesKey } from '@albedo/contract/telemetry/telemetry.schema';
import { checkExpression } from '@albedo/expressions/check';
import { toSql } from '@albedo/expressions/sql';
import { isName } from '@albedo/expressions/tokens';
import { AppError } from '../errors/app-error.ts';
import { invalid } from '../errors/request-issues.ts';
import type { TableFields } from './telemetry.catalog.ts';

/** A formula whose names and units agree. */
export interface CheckedFormula {
  /** What its values are in; empty for plain numbers. */
  unit: string;
  /** The formula in the store's SQL; `column` gives the expression of an input, by its name. */
  write(column: (name: string) => string): string;
}

type FindFields = (table: string, field?: string) => Promise<TableFields | null>;

/**
 * Throws `table.not_found`, `table.field_unknown`, and `request.invalid` with the character at fault. `path` is where the
 * formula stands in the request.
 */
export async function checkFormula(
  { expression: text, unit, inputs }: FormulaText,
  find: FindFields,
  path = '',
): Promise<CheckedFormula> {
  const at = (part: string) => (path === '' ? part : `${path}.${part}`);
  const units = new Map<string, string | null>();
  for (const [i, { name, table, field }] of inputs.entries()) {
    if (!isName(name)) throw invalid('issue.formula_name', { name }, at(`inputs.${i}.name`));
    if (units.has(name)) throw invalid('issue.formula_twice', { name }, at(`inputs.${i}.name`));
    const fields = await find(table, field);
    if (!fields) throw new AppError('table.not_found', { table });
    const slot = fields.n.get(field);
    if (!slot) throw new AppError('table.field_unknown', { table, field });
    units.set(name, slot.units || null);
  }
  const { expression, fault } = checkExpression(text, units, { unit });
  if (fault) {
    const facts = { at: String(fault.at + 1), what: fault.text };
    throw invalid('issue.formula', facts, at(fault.code === 'result_unit' ? 'unit' : 'expression'));
  }
  return {
    unit: expression.unit,
    write: (column) => toSql(expression, new Map([...expression.names].map((name) => [name, column(name)]))),
  };
}

/** Whether all inputs are fields of the same events. */
export const isOfOneStream = ([first, ...others]: readonly SeriesKey[]): boolean =>
  others.every(
    ({ device, table, source }) =>
      device.toLowerCase() === first?.device.toLowerCase() &&
      table === first.table &&
      source === first.source,
  );
