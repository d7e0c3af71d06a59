import type { PluginRecord } from '../records/record.ts';
import type { Field } from './field-file.ts';
import { fieldValue } from './field-value.ts';

/**
 * One record for each table and source, in the order of the fields; none for a source where nothing could be read.
 *
 * `rawOf` gives what the machine said (null or undefined for nothing), `sourceOf` the parts of a source's name.
 */
export function fieldRecords(
  fields: readonly Field[],
  rawOf: (field: Field) => unknown,
  sourceOf: (field: Field) => (string | number)[],
): PluginRecord[] {
  const records = new Map<string, PluginRecord>();
  for (const field of fields) {
    const source = sourceOf(field);
    const key = [field.table, ...source].join('\n');
    const record = records.get(key) ?? { table: field.table, source, columns: [], values: [] };
    record.columns.push(field.column);
    record.values.push(fieldValue(field, rawOf(field)));
    records.set(key, record);
  }
  return [...records.values()].filter(({ values }) => values.some((value) => value !== null));
}

/** A source with its placeholders filled in; what is empty becomes the parts given. */
export function filledSource(
  source: string,
  initial: (string | number)[],
  placeholders: ReadonlyMap<string, string>,
): (string | number)[] {
  if (source === '') return initial;
  return [source.replace(/\{([^{}]+)\}/g, (whole, name: string) => placeholders.get(name) ?? whole)];
}
