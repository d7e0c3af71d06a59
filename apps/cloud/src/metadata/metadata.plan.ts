import { issueText } from '@albedo/contract/failures/issues';
import { ROW_COLUMNS } from '@albedo/contract/http/reserved-names';
import {
  INFO_LENGTH,
  type Info,
  infoOf,
  type MetadataFault,
  type MetadataFile,
  sourceInfosOf,
  sourceName,
} from '@albedo/contract/metadata/metadata.schema';
import { newUnknownZone } from '@albedo/contract/time/zone-facts';
import type { InfoChange, InfoRow } from '../devices/devices.service.ts';

/** One value that becomes another one. */
interface ValueChange {
  id: string;
  name: string;
  source: string;
  field: string;
  before: string;
  after: string;
}

export interface FilePlan {
  faults: MetadataFault[];
  changes: ValueChange[];
  /** How many devices or sources have another value. */
  changed: number;
  /** What is said of each device that changes, from then on. */
  devices: InfoChange[];
}

type Issue = Parameters<typeof issueText>[0];

/**
 * What a file would change: rows are matched by the id of a device, or by its name, and at the level of sources by the name
 * of the source too. All other columns are fields, which have to be among `defined`; empty cells say nothing.
 */
export function planFile(
  { level, columns: titles, rows }: MetadataFile,
  { defined, known }: { defined: readonly string[]; known: readonly InfoRow[] },
): FilePlan {
  const faults: MetadataFault[] = [];
  const fault = (row: number | null, issue: Issue, facts: Record<string, string> = {}) =>
    void faults.push({ row, issue, facts, message: issueText(issue, facts) });
  const columns = titles.map(plainText);
  const place = placesOf(columns);
  if (place.id < 0 && place.name < 0) fault(1, 'issue.metadata_id_column');
  if (level === 'source' && place.source < 0) fault(1, 'issue.metadata_source_column');
  const fields = columns.flatMap((name, at) => (isField(name, level) ? [{ name, at }] : []));
  for (const [at, name] of columns.entries())
    if (columns.indexOf(name) < at) fault(1, 'issue.metadata_column_twice', { name });
  for (const { name } of fields) if (!defined.includes(name)) fault(1, 'issue.metadata_define', { name });
  if (faults.length > 0) return { faults, changes: [], changed: 0, devices: [] };

  const [byId, byName] = [
    new Map(known.map((one) => [one.id, one])),
    new Map(known.map((one) => [one.name, one])),
  ];
  const seen = new Map<string, number>();
  const changes: ValueChange[] = [];
  const infos = new Map<string, Record<string, unknown>>();
  const sources = new Map<string, Record<string, unknown>>();
  let changed = 0;
  for (const { row, cells } of rows) {
    const cell = (at: number) => plainText(cells[at] ?? '');
    const [id, name] = [place.id < 0 ? '' : cell(place.id), place.name < 0 ? '' : cell(place.name)];
    const device = id === '' ? byName.get(name) : byId.get(id.toLowerCase());
    if (!device) {
      fault(row, 'issue.metadata_device', { name: id || name });
      continue;
    }
    const source = level === 'source' ? cell(place.source) : '';
    if (level === 'source' && !sourceName.safeParse(source).success) {
      fault(row, 'issue.metadata_source');
      continue;
    }
    const about = `${device.id} ${source}`;
    const earlier = seen.get(about);
    if (earlier !== undefined) {
      const twice = source === '' ? device.name : `${device.name} / ${source}`;
      fault(row, 'issue.metadata_twice', { name: twice, earlier: String(earlier) });
      continue;
    }
    seen.set(about, row);

    const saidOfSources = sources.get(device.id) ?? recordIn(device.sourceInfo);
    const kept = level === 'device' ? recordIn(device.info) : recordIn(saidOfSources[source]);
    const before =
      level === 'device' ? infoOf(device.info) : (sourceInfosOf({ [source]: kept })[source] ?? {});
    const said: Info = {};
    for (const { name: field, at } of fields) {
      const after = cell(at);
      if (after.length > INFO_LENGTH.value)
        fault(row, 'issue.metadata_long', { name: field, max: String(INFO_LENGTH.value) });
      else if (after !== '' && after !== (own(before, field) ?? '')) said[field] = after;
    }
    const odd = newUnknownZone({ ...before, ...said }, before);
    if (odd) fault(row, 'issue.zone_unknown', { zone: odd.zone });
    const values = Object.entries(said);
    if (values.length === 0) continue;
    changed += 1;
    for (const [field, after] of values)
      changes.push({
        id: device.id,
        name: device.name,
        source,
        field,
        before: own(before, field) ?? '',
        after,
      });
    const now = { ...kept, ...said };
    if (level === 'device') infos.set(device.id, now);
    else sources.set(device.id, { ...saidOfSources, [source]: now });
  }
  const devices = [
    ...[...infos].map(([id, info]) => ({ id, info })),
    ...[...sources].map(([id, sourceInfo]) => ({ id, sourceInfo })),
  ];
  return { faults, changes, changed, devices };
}

/** The same metadata with one field under another name, of the devices that have the field. */
export function planRename(
  { level, name, to }: { level: MetadataFile['level']; name: string; to: string },
  known: readonly InfoRow[],
): InfoChange[] {
  return known.flatMap((device): InfoChange[] => {
    if (level === 'device') {
      const info = recordIn(device.info);
      return Object.hasOwn(info, name) ? [{ id: device.id, info: renamed(info, name, to) }] : [];
    }
    const all = recordIn(device.sourceInfo);
    if (!Object.values(all).some((one) => Object.hasOwn(recordIn(one), name))) return [];
    const sourceInfo = Object.fromEntries(
      Object.entries(all).map(([source, info]) => [source, renamed(recordIn(info), name, to)]),
    );
    return [{ id: device.id, sourceInfo }];
  });
}

const renamed = (info: Record<string, unknown>, name: string, to: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(info).map(([key, value]) => [key === name ? to : key, value]));

const own = (info: Info, field: string): string | undefined =>
  Object.hasOwn(info, field) ? info[field] : undefined;

function placesOf(columns: readonly string[]) {
  const [id, name, source] = ROW_COLUMNS.map((column) => columns.indexOf(column)) as [number, number, number];
  return { id, name, source };
}

/** At the level of devices `source` is a field like any other. */
const isField = (column: string, level: MetadataFile['level']): boolean =>
  column !== 'id' && column !== 'name' && (level === 'device' || column !== 'source');

/** What a spreadsheet would take for a formula was saved with an apostrophe in front. */
const plainText = (cell: string): string => {
  const text = cell.trim();
  return /^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
};

const recordIn = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
