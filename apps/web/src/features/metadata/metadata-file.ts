import { csvStyle } from '@albedo/contract/csv/csv-style.schema';
import { csvText } from '@albedo/contract/csv/csv-writer';
import type { InfoLevel, MetadataFile, MetadataRow } from '@albedo/contract/metadata/metadata.schema';
import type { CsvTable } from '../../ui/csv/read-csv.ts';

/** A source that something may be said of. */
export interface NamedSource {
  id: string;
  name: string;
  source: string;
}

/**
 * What is said of devices or sources as a file that can be read back: a column for each field that is defined. Things of
 * which nothing is said have a row too, so that the file can be filled in.
 */
export function fileOf(
  level: InfoLevel,
  rows: readonly MetadataRow[],
  of: { keys: readonly string[]; sources: readonly NamedSource[] },
): string {
  const said = new Set(rows.map(({ id, source }) => `${id} ${source}`));
  const silent = of.sources.filter(({ id, source }) => !said.has(`${id} ${source}`));
  const all: readonly MetadataRow[] = [
    ...rows,
    ...(level === 'source' ? silent.map((one) => ({ ...one, info: {} })) : []),
  ];
  const columns = ['id', 'name', ...(level === 'source' ? ['source'] : []), ...of.keys];
  const lines = all
    .toSorted((a, b) => BY_NAME.compare(a.name, b.name) || BY_NAME.compare(a.source, b.source))
    .map(({ id, name, source, info }) => [
      id,
      name,
      ...(level === 'source' ? [source] : []),
      ...of.keys.map((key) => (Object.hasOwn(info, key) ? (info[key] ?? '') : '')),
    ]);
  return csvText(
    columns.map((title) => ({ title })),
    lines,
    csvStyle.parse({ bom: true }),
  );
}

/** A file as the server takes it. */
export const asSent = (level: InfoLevel, { columns, rows }: CsvTable): MetadataFile => ({
  level,
  columns,
  rows,
});

const BY_NAME = new Intl.Collator('en', { numeric: true });
