import type { StreamOfEntity } from '@albedo/contract/entities/entity-streams';
import { FIELD_ROLES, type FieldRole } from '@albedo/contract/field-roles/field-roles';
import {
  type ChartLine,
  lineFromText,
  lineToText,
  partsOf,
  partsToText,
} from '../../app/series/chart-lines.ts';

/** A field of a source of a device. */
export interface StreamLine extends ChartLine {
  device: string;
}

/** A formula that was saved, by its id. */
export interface FormulaLine {
  formula: string;
}

/** A role or a field of an entity: of itself, or together of what is below it. */
export type EntityLine = { entity: string } & StreamOfEntity;

export type AnalysisLine = StreamLine | FormulaLine | EntityLine;

export const isStream = (line: AnalysisLine): line is StreamLine => 'device' in line;
export const isFormula = (line: AnalysisLine): line is FormulaLine => 'formula' in line;
export const isOfEntity = (line: AnalysisLine): line is EntityLine => 'entity' in line;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A line as it stands in an address. */
export function analysisLineToText(line: AnalysisLine): string {
  if (isStream(line)) return `${line.device}~${lineToText(line)}`;
  if (isFormula(line)) return `formula~${line.formula}`;
  const of = 'role' in line ? [line.role] : [line.table, line.field];
  return `entity~${partsToText([line.entity, ...of])}`;
}

/** Null where the text is no line. */
export function analysisLineFromText(text: unknown): AnalysisLine | null {
  if (typeof text !== 'string') return null;
  const cut = text.indexOf('~');
  const [first, rest] = [text.slice(0, cut), text.slice(cut + 1)];
  if (first === 'formula') return UUID.test(rest) ? { formula: rest } : null;
  if (first === 'entity') return entityLineFromText(rest);
  const line = lineFromText(rest);
  return UUID.test(first) && line ? { device: first, ...line } : null;
}

function entityLineFromText(text: string): EntityLine | null {
  const [entity, first, field, ...rest] = partsOf(text) ?? [];
  if (!entity || !first || rest.length > 0) return null;
  if (field) return { entity, table: first, field };
  return field === undefined && Object.hasOwn(FIELD_ROLES, first)
    ? { entity, role: first as FieldRole }
    : null;
}
