import { LOOKUP_TABLE_LIMITS, type LookupValue } from '@albedo/contract/lookup-tables/lookup-tables.schema';
import type { CsvFault, CsvTable } from '../../ui/csv/read-csv.ts';

export interface UploadFault {
  kind:
    | CsvFault['kind']
    | 'no_value_column'
    | 'no_text_column'
    | 'too_many_columns'
    | 'value_empty'
    | 'value_twice'
    | 'text_long';
  row: number | null;
  facts: Readonly<Record<string, string | number>>;
}

export interface Upload {
  fields: { code: string; name: string; type: 'String' }[];
  values: LookupValue[];
  /** In the order of their rows; with one of them nothing is saved. */
  faults: UploadFault[];
}

const TEXT_MAX = 500;

/** Makes fields and values of an upload: columns other than `value` and `field` become fields of texts. */
export function uploadOf({ columns, rows, faults: unread }: CsvTable): Upload {
  const at = (name: string) => columns.findIndex((column) => column.toLowerCase() === name);
  const [value, field] = [at('value'), at('field')];
  const texts = columns.flatMap((name, i) =>
    i === value || i === field || name === '' ? [] : [{ name, i }],
  );
  const faults: UploadFault[] = [...unread];
  const add = (kind: UploadFault['kind'], row: number | null, facts = {}) =>
    faults.push({ kind, row, facts });
  if (columns.length > 0 && value < 0) add('no_value_column', 1);
  else if (columns.length > 0 && texts.length === 0) add('no_text_column', 1);
  const { fields: most } = LOOKUP_TABLE_LIMITS;
  if (texts.length > most) add('too_many_columns', 1, { most });

  const seen = new Map<string, number>();
  const values = rows.map(({ row, cells }): LookupValue => {
    const code = cells[value] ?? '';
    const ofField = cells[field] || null;
    const key = JSON.stringify([ofField, code]);
    const earlier = seen.get(key);
    // Without the column that is the one fault to tell.
    if (value >= 0 && code === '') add('value_empty', row);
    else if (value >= 0 && earlier !== undefined) add('value_twice', row, { value: code, earlier });
    seen.set(key, earlier ?? row);
    const filled = texts.flatMap(({ name, i }) => (cells[i] ? [[name, cells[i]] as const] : []));
    for (const [column, text] of filled)
      if (text.length > TEXT_MAX) add('text_long', row, { column, most: TEXT_MAX });
    return { value: code, field: ofField, fields: Object.fromEntries(filled) };
  });
  return {
    fields: texts.map(({ name }) => ({ code: name, name, type: 'String' })),
    values,
    faults: faults.toSorted((a, b) => (a.row ?? 0) - (b.row ?? 0)),
  };
}

/** A code for a table of this name; empty where the name has no letter that a code may have. */
export const codeOf = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 80);
