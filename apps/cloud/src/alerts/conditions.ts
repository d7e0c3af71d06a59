import type { FieldFilter, SearchFilter } from '@albedo/contract/telemetry/search.schema';

export type Value = number | string | null;
/** The value that a row has of a field; undefined where it has no such field. */
export type Read = (field: string) => Value | undefined;
/** Whether it holds; null where the row says too little to know. */
export type Condition = (read: Read) => boolean | null;

/**
 * Conditions of an alert over one row. What a row does not say makes neither true nor false: with AND one that is false
 * decides, with OR one that is true.
 */
export function conditionOf(operator: 'AND' | 'OR', filters: readonly SearchFilter[]): Condition {
  const parts = filters.map((one) =>
    'filters' in one ? conditionOf(one.operator, one.filters) : leafOf(one),
  );
  const decides = operator === 'OR';
  return (read) => {
    let isOpen = false;
    for (const part of parts) {
      const holds = part(read);
      if (holds === decides) return decides;
      if (holds === null) isOpen = true;
    }
    return isOpen ? null : !decides;
  };
}

/** Names of the fields that conditions read. */
export function fieldsIn(filters: readonly SearchFilter[]): string[] {
  return [...new Set(filters.flatMap((one) => ('filters' in one ? fieldsIn(one.filters) : [one.field])))];
}

function leafOf({ field, operator, value }: FieldFilter): Condition {
  const isThere = (read: Read) => (read(field) ?? null) !== null;
  if (operator === 'EXISTS') return isThere;
  if (operator === 'NOT EXISTS') return (read) => !isThere(read);
  const test = testOf(operator, [value ?? []].flat());
  return (read) => {
    const given = read(field) ?? null;
    return given === null ? null : test(given);
  };
}

type Scalar = number | string | boolean;

function testOf(
  operator: FieldFilter['operator'],
  values: readonly Scalar[],
): (given: number | string) => boolean | null {
  const [first = ''] = values;
  switch (operator) {
    case 'IN':
      return (given) => values.some((one) => compare(given, one) === 0);
    case 'NOT IN':
      return (given) => values.every((one) => compare(given, one) !== 0);
    case 'LIKE':
      return wildcard(String(first));
    default:
      return (given) => {
        const order = compare(given, first);
        if (order === null) return operator === '!=' ? true : operator === '=' ? false : null;
        return ORDERS[operator as keyof typeof ORDERS](order);
      };
  }
}

const ORDERS = {
  '=': (order: number) => order === 0,
  '!=': (order: number) => order !== 0,
  '>': (order: number) => order > 0,
  '>=': (order: number) => order >= 0,
  '<': (order: number) => order < 0,
  '<=': (order: number) => order <= 0,
} as const;

/** Numbers with numbers, texts with texts; a bool is 0 or 1. Null where they cannot be compared. */
function compare(given: number | string, wanted: Scalar): number | null {
  const other = typeof wanted === 'boolean' ? Number(wanted) : wanted;
  if (typeof given === 'number') {
    const number = typeof other === 'number' ? other : numberIn(other);
    return number === null ? null : given - number;
  }
  if (typeof other === 'number') {
    const number = numberIn(given);
    return number === null ? null : number - other;
  }
  return given < other ? -1 : given > other ? 1 : 0;
}

function numberIn(text: string): number | null {
  if (text.trim() === '') return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}

/** `*` stands for anything. Never a regular expression: a pattern of somebody else's cannot make it slow. */
export function wildcard(pattern: string): (given: number | string) => boolean {
  const parts = pattern.toLowerCase().split('*');
  return (given) => {
    const text = String(given).toLowerCase();
    const [first = '', ...rest] = parts;
    if (rest.length === 0) return text === first;
    const last = rest.pop() ?? '';
    if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
      return false;
    let at = first.length;
    const end = text.length - last.length;
    for (const part of rest) {
      const found = text.indexOf(part, at);
      if (found < 0 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}
