import type {
  ExternalPreview,
  NewExternalSource,
} from '@albedo/contract/external-sources/external-sources.schema';
import type { LookupTable } from '@albedo/contract/lookup-tables/lookup-tables.schema';
import type { MappedPreview } from '@albedo/contract/mapping/mapping.schema';
import { ColumnProfiles } from '../mapping/column-profiles.ts';
import { readable } from '../mapping/history-records.ts';
import { previewOf, textOf } from '../mapping/map-records.ts';
import type { ForeignFile } from '../mapping/read-foreign-file.ts';
import { valueAt } from '../mapping/read-records.ts';
import { changesOf, lookupValuesOf } from './lookup-values.ts';

const ROWS = 5;
const SAMPLE = 8;
/** How many records are read to describe the columns. */
const PROFILED = 2000;
const CELL_SIGNS = 100;

const NONE: MappedPreview = { records: 0, events: 0, columns: [], sample: [], faults: [] };

/** The preview of a source without records, such as an empty folder. */
export const emptyPreview = (of: Partial<ExternalPreview> = {}): ExternalPreview => ({
  ...NONE,
  profiles: [],
  timeColumn: null,
  rows: [],
  file: null,
  files: [],
  hostKey: null,
  lookup: null,
  ...of,
});

type Looked = Pick<ForeignFile, 'records' | 'columns'> & Partial<ForeignFile>;

/** What a file would bring, and what its columns contain. Throws `UnreadableRecords`. */
export function previewFile(
  { mapping, lookup }: Pick<NewExternalSource, 'mapping' | 'lookup'>,
  file: Looked,
  table: LookupTable | undefined,
): ExternalPreview {
  const records = readable(file.records);
  const profiles = new ColumnProfiles(file.delimiter ? file.columns : null);
  for (const record of records.slice(0, PROFILED)) profiles.add(record);
  const about = {
    profiles: profiles.columns(file.units ?? new Map(), file.delimiter ?? null),
    timeColumn: profiles.times().timeColumn,
    rows: records
      .slice(0, ROWS)
      .map((record) =>
        file.columns.map((column) => (textOf(valueAt(record, column)) ?? '').slice(0, CELL_SIGNS)),
      ),
  };
  if (lookup) {
    const { values, faults } = lookupValuesOf(lookup, file.records);
    const changes = changesOf(table ?? { values: [] }, values);
    return emptyPreview({
      ...about,
      records: file.records.length,
      columns: file.columns,
      faults,
      lookup: { values: values.length, ...changes, sample: values.slice(0, SAMPLE) },
    });
  }
  if (!mapping) return emptyPreview({ ...about, records: file.records.length, columns: file.columns });
  return emptyPreview({ ...about, ...previewOf(mapping, file) });
}
