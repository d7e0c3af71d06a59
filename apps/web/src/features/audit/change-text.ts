import type { AuditRow } from '@albedo/contract/audit/audit.schema';

export interface Change {
  /** Name of the part that changed; null for the whole. */
  part: string | null;
  old: string | null;
  new: string | null;
}

/** What changed, part by part where the values are records; parts that stayed are left out. */
export function changesOf({ attribute, oldValue, newValue }: AuditRow): Change[] {
  if (oldValue === null && newValue === null) return [];
  const [was, is] = [recordOf(oldValue), recordOf(newValue)];
  if (!was && !is) return [{ part: attribute, old: oldValue, new: newValue }];
  const isWhole = (value: string | null, record: unknown) => value !== null && record === null;
  if (isWhole(oldValue, was) || isWhole(newValue, is))
    return [{ part: attribute, old: oldValue, new: newValue }];
  const parts = [...new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])];
  return parts
    .map((part) => ({ part, old: textOf(was?.[part]), new: textOf(is?.[part]) }))
    .filter((one) => one.old !== one.new);
}

/** All of it in one line: `name: Night → Day`. */
export const changeLine = (row: AuditRow): string =>
  changesOf(row)
    .map((one) => `${one.part === null ? '' : `${one.part}: `}${valuesText(one)}`)
    .join('; ');

export function valuesText({ old, new: is }: Change): string {
  if (old === null) return is ?? '';
  return `${old} → ${is ?? '–'}`;
}

function recordOf(value: string | null): Record<string, unknown> | null {
  if (!value?.startsWith('{')) return null;
  try {
    return JSON.parse(value) as Record<string, unknown>;
  } catch {
    // A text that only looks like a record is shown as it is.
    return null;
  }
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (Array.isArray(value)) return value.map((one) => textOf(one) ?? '').join(', ') || null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
