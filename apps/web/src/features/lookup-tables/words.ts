import type { LookupTable, LookupValue } from '@albedo/contract/lookup-tables/lookup-tables.schema';

/** The word for a code of a field; null where no lookup table names it. */
export type Words = (field: string, value: number | string | null | undefined) => string | null;

/**
 * The words of all tables, for the fields that their values name. A column that is called like the language comes first,
 * then the columns in their order; of two tables that name the same code the first one counts.
 */
export function wordsOf(tables: readonly LookupTable[], language: string): Words {
  const words = new Map<string, Map<string, string>>();
  for (const { fields, values } of tables) {
    const columns = inLanguage(
      fields.map(({ code }) => code),
      language,
    );
    for (const one of values) {
      const word = one.field === null ? undefined : wordOf(one, columns);
      if (one.field === null || word === undefined) continue;
      const ofField = words.get(one.field) ?? new Map<string, string>();
      words.set(one.field, ofField);
      const code = normal(one.value);
      if (!ofField.has(code)) ofField.set(code, word);
    }
  }
  return (field, value) =>
    value === null || value === undefined ? null : (words.get(field)?.get(normal(value)) ?? null);
}

const inLanguage = (codes: string[], language: string) =>
  codes.toSorted((a, b) => Number(b.toLowerCase() === language) - Number(a.toLowerCase() === language));

const wordOf = (value: LookupValue, columns: readonly string[]) =>
  columns.map((code) => textIn(value, code)).find((text) => text !== '');

/** The text of a value in a column; empty where it has none. Columns may have any name. */
export const textIn = ({ fields }: LookupValue, code: string): string =>
  Object.hasOwn(fields, code) ? (fields[code] ?? '') : '';

/** Numbers are compared as numbers, so that 4, 4.0 and "04" of a file mean the same stored 4. */
function normal(value: number | string): string {
  const text = String(value).trim();
  return /^[+-]?\d+(\.\d+)?$/.test(text) && text.length < 16 ? String(Number(text)) : text;
}
