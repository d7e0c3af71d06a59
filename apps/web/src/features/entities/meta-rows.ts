import type { EntityMeta } from '@albedo/contract/entities/entities.schema';

/** One line of the editor: a fact, and from which day on it holds; no day: always, or before all others. */
export interface MetaRow {
  /** For lists; nothing else. */
  id: number;
  name: string;
  value: string;
  /** ISO date, or empty. */
  from: string;
}

type Json = EntityMeta[string];

let last = 0;
export const emptyRow = (): MetaRow => ({ id: ++last, name: '', value: '', from: '' });

const isDated = (value: Json): value is { from: string | null; value: Json }[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((one) => typeof one === 'object' && one !== null && 'from' in one && 'value' in one);

/** Texts as they are, everything else as JSON. */
export const textOfValue = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** A number, a switch or JSON where it looks like one, else the text. */
export function valueOfText(text: string): Json {
  const trimmed = text.trim();
  if (trimmed !== '' && /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(trimmed)) return Number(trimmed);
  if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true';
  if (/^[[{"]/.test(trimmed)) {
    try {
      return JSON.parse(trimmed) as Json;
    } catch {
      // Then it is a text that begins like JSON.
    }
  }
  return text;
}

export function rowsOfMeta(meta: Readonly<EntityMeta>): MetaRow[] {
  return Object.entries(meta).flatMap(([name, value]) =>
    (isDated(value) ? value : [{ from: null, value }]).map((one) => ({
      id: ++last,
      name,
      value: textOfValue(one.value),
      from: one.from ?? '',
    })),
  );
}

/** Lines of one name are a value that changes with time; lines without a name are left out. */
export function metaOfRows(rows: readonly MetaRow[]): EntityMeta {
  const byName = new Map<string, MetaRow[]>();
  for (const row of rows)
    if (row.name.trim() !== '') byName.set(row.name.trim(), [...(byName.get(row.name.trim()) ?? []), row]);
  return Object.fromEntries(
    [...byName].map(([name, all]): [string, Json] => {
      const [first] = all;
      if (first && all.length === 1 && first.from === '') return [name, valueOfText(first.value)];
      const dated = all.map(({ from, value }) => ({ from: from || null, value: valueOfText(value) }));
      return [name, dated.toSorted((a, b) => ((a.from ?? '') < (b.from ?? '') ? -1 : 1))];
    }),
  );
}
