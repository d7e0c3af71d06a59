import { csvStyle } from '@albedo/contract/csv/csv-style.schema';
import { csvText } from '@albedo/contract/csv/csv-writer';
import {
  type Entity,
  type EntityChange,
  type NewEntity,
  NO_SIGNALS,
} from '@albedo/contract/entities/entities.schema';
import type { CsvTable } from '../../ui/csv/read-csv.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { tableOf } from '../../ui/data-table/csv.ts';

/** Columns of the file, in their order. Lists have semicolons between their parts; `sources` are `device/source`. */
const COLUMNS = ['id', 'name', 'parent', 'labels', 'machine', 'meta', 'sources'] as const;
type ColumnName = (typeof COLUMNS)[number];

const cellOf = (entity: Entity, column: ColumnName): string => {
  switch (column) {
    case 'id':
      return entity._id;
    case 'name':
      return entity.name;
    case 'parent':
      return entity.parent ?? '';
    case 'labels':
      return entity.labels.join('; ');
    case 'machine':
      return entity.machine ?? '';
    case 'meta':
      return Object.keys(entity.meta).length === 0 ? '' : JSON.stringify(entity.meta);
    default:
      return entity.signals.sources.map(({ deviceId, source }) => `${deviceId}/${source}`).join('; ');
  }
};

/** The entities as a file that can be read back. */
export function csvOf(entities: readonly Entity[]): string {
  const columns: Column<Entity>[] = COLUMNS.map((id) => ({
    id,
    title: id,
    value: (row) => cellOf(row, id),
    width: 0,
  }));
  const { columns: titles, rows } = tableOf(columns, entities);
  return csvText(titles, rows, csvStyle.parse({ bom: true }));
}

/** What a file would do to the tree. */
export interface CsvPlan {
  create: (Partial<NewEntity> & { name: string })[];
  change: (EntityChange & { _id: string })[];
  faults: { row: number | null; kind: string; facts: Record<string, string> }[];
}

/** Lines with a known id change that entity, all others make one. Columns that are not there stay as they are. */
export function planCsv(table: CsvTable, entities: readonly Entity[]): CsvPlan {
  const plan: CsvPlan = { create: [], change: [], faults: [] };
  for (const { row, kind, facts } of table.faults)
    plan.faults.push({ row, kind, facts: facts as Record<string, string> });
  const known = new Map(entities.map((one) => [one._id, one]));
  const names = table.columns.map((name) => name.toLowerCase());
  if (!names.includes('name')) plan.faults.push({ row: 1, kind: 'no_name_column', facts: {} });
  const seen = new Set<string>();
  const parents = new Map(entities.map(({ _id, parent }) => [_id, parent]));
  const placed: { row: number; id: string; parent: string }[] = [];
  for (const { row, cells } of table.rows) {
    const cell = (name: ColumnName) => {
      const text = cells[names.indexOf(name)]?.trim();
      // What a spreadsheet would take for a formula was saved with an apostrophe in front.
      return text !== undefined && /^'[=+\-@]/.test(text) ? text.slice(1) : text;
    };
    const id = cell('id') ?? '';
    const entity = known.get(id);
    const wanted = partsOf(cell, entity);
    if (typeof wanted === 'string') {
      plan.faults.push({ row, kind: wanted, facts: {} });
      continue;
    }
    if (id !== '' && seen.has(id)) plan.faults.push({ row, kind: 'id_twice', facts: { id } });
    seen.add(id);
    if (entity) {
      if (isOther(entity, wanted)) plan.change.push({ _id: id, ...wanted });
    } else plan.create.push({ ...(id === '' ? {} : { _id: id }), ...wanted } as CsvPlan['create'][number]);
    if (id !== '' && (wanted.parent !== undefined || !entity)) parents.set(id, wanted.parent ?? null);
    if (wanted.parent) placed.push({ row, id, parent: wanted.parent });
  }
  for (const { row, id, parent } of placed) {
    if (!parents.has(parent)) plan.faults.push({ row, kind: 'parent_unknown', facts: { id: parent } });
    else if (id !== '' && isAbove(id, parent, parents))
      plan.faults.push({ row, kind: 'circle', facts: { id } });
  }
  return plan;
}

/** Whether an entity is another one or stands anywhere above it. */
function isAbove(id: string, of: string, parents: ReadonlyMap<string, string | null>): boolean {
  const seen = new Set<string>();
  for (let at: string | null = of; at !== null && !seen.has(at); at = parents.get(at) ?? null) {
    if (at === id) return true;
    seen.add(at);
  }
  return false;
}

const partsIn = (text: string): string[] =>
  text
    .split(';')
    .map((one) => one.trim())
    .filter(Boolean);

/** What a line says, or what is wrong with it. */
function partsOf(
  cell: (name: ColumnName) => string | undefined,
  entity: Entity | undefined,
): EntityChange | string {
  const name = cell('name') ?? '';
  if (name === '') return 'name_missing';
  const parts: EntityChange = { name };
  const [parent, labels, machine, meta, sources] = (
    ['parent', 'labels', 'machine', 'meta', 'sources'] as const
  ).map(cell);
  if (parent !== undefined) parts.parent = parent || null;
  if (labels !== undefined) parts.labels = partsIn(labels);
  if (machine !== undefined) parts.machine = machine || null;
  if (meta !== undefined) {
    const read = objectIn(meta);
    if (!read) return 'meta_wrong';
    parts.meta = read;
  }
  if (sources !== undefined) {
    const all = partsIn(sources).map((one) => {
      const at = one.indexOf('/');
      return { deviceId: one.slice(0, at), source: one.slice(at + 1) };
    });
    if (all.some(({ deviceId }) => deviceId === '')) return 'source_wrong';
    const own = entity?.signals;
    // Tables of a source are not in the file.
    const kept = all.map(
      (one) =>
        own?.sources.find(({ deviceId, source }) => deviceId === one.deviceId && source === one.source) ??
        one,
    );
    parts.signals = { ...(own ?? NO_SIGNALS), sources: kept };
  }
  return parts;
}

function objectIn(text: string): Entity['meta'] | null {
  if (text === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Entity['meta'])
      : null;
  } catch {
    // What is no JSON is told by its line.
    return null;
  }
}

const isOther = (entity: Entity, wanted: EntityChange): boolean =>
  Object.entries(wanted).some(
    ([part, value]) => JSON.stringify(entity[part as keyof Entity]) !== JSON.stringify(value),
  );
