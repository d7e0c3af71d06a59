import { CSV_DEVICES, type DeviceCsvRow } from '@albedo/contract/bulk-actions/device-csv.schema';
import { deviceName } from '@albedo/contract/devices/devices.schema';
import { arch } from '@albedo/contract/workgroups/archs';
import { type CsvError, type Info, type Options, parse } from 'csv-parse/sync';
import Papa from 'papaparse';
import type { Actor } from '../access/actor.ts';
import { ALL_DEVICES, type DeviceScope } from '../access/device-scope.ts';
import type { Devices } from '../devices/devices.service.ts';
import { AppError } from '../errors/app-error.ts';
import { invalid } from '../errors/request-issues.ts';
import { delimiterIn } from '../mapping/csv-delimiter.ts';
import type { DeviceRegistry, RegisteredDevice } from '../registry/registry.ts';

/** Columns that are no metadata; what stands in `created` is only told. */
const OWN = ['id', 'name', 'arch', 'created'];

export interface DeviceCsvParts {
  devices: Devices;
  registry: DeviceRegistry;
}

/** Devices as CSV, a column for each field of their metadata; what a spreadsheet would take for a formula is defused. */
export function devicesCsv({ registry }: DeviceCsvParts, workgroup: string, scope: DeviceScope): string {
  const own = registry.inWorkgroup(workgroup).filter(({ id }) => scope.has(id));
  const fields = [...new Set(own.flatMap(({ info }) => Object.keys(info)))]
    .filter((field) => !OWN.includes(field))
    .toSorted();
  const rows = own.map(({ id, name, createdAt, info }) => [
    id,
    name,
    new Date(createdAt).toISOString(),
    ...fields.map((field) => info[field] ?? ''),
  ]);
  const columns = ['id', 'name', 'created', ...fields];
  return `${Papa.unparse({ fields: columns, data: rows }, { escapeFormulae: true })}\r\n`;
}

interface Plan extends DeviceCsvRow {
  known: RegisteredDevice | null;
  kind: string;
  info: Record<string, string>;
}

/**
 * Devices from CSV: a row with an id changes that device, one without it the device of that name, or makes one. Cells of
 * columns other than `id`, `name`, `arch` and `created` are metadata; an empty one leaves the field as it is.
 */
export async function importDevices(
  parts: DeviceCsvParts,
  workgroup: string,
  { csv, isDryRun }: { csv: string; isDryRun: boolean },
  by: Actor,
): Promise<DeviceCsvRow[]> {
  const { devices } = parts;
  const plans = planOf(parts, workgroup, csv);
  for (const plan of isDryRun ? [] : plans) {
    const { known, name, info, kind } = plan;
    if (plan.outcome === 'wrong' || plan.outcome === 'same') continue;
    try {
      const made = { name, arch: arch.parse(kind || 'amd64'), ced: false };
      const id = known?.id ?? (await devices.create(workgroup, made, by)).id;
      if (known && known.name !== name) await devices.rename(workgroup, id, name, by);
      const before = known?.info ?? {};
      const after = { ...before, ...info };
      if (isOther(before, after)) {
        await devices.setSetting({ workgroup, id, scope: ALL_DEVICES }, 'info', after, by);
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      Object.assign(plan, { outcome: 'wrong', message: error.message });
    }
  }
  return plans.map(({ line, name, outcome, message }) => ({ line, name, outcome, message }));
}

function planOf({ registry }: DeviceCsvParts, workgroup: string, csv: string): Plan[] {
  const { columns, lines, faults } = readLines(csv);
  if (!columns.includes('name') && !columns.includes('id')) throw invalid('issue.csv_columns', {}, 'csv');
  if (lines.length > CSV_DEVICES) throw invalid('issue.too_many', { max: String(CSV_DEVICES) }, 'csv');
  const all = registry.inWorkgroup(workgroup);
  const byId = new Map(all.map((device) => [device.id, device]));
  const byName = new Map(all.map((device) => [device.name, device]));
  const taken = new Set<string>();
  const plans = lines.map(({ line, row }): Plan => {
    const id = (row.id ?? '').trim().toLowerCase();
    const known = (id === '' ? byName.get(plain(row.name)) : byId.get(id)) ?? null;
    const name = plain(row.name) || (known?.name ?? '');
    const cells = Object.entries(row).filter(([field]) => !OWN.includes(field) && field !== '');
    const info = Object.fromEntries(
      cells.map(([field, value]) => [field, plain(value)] as const).filter(([, value]) => value !== ''),
    );
    const plan = { line, name, known, kind: plain(row.arch), info, message: null };
    const owner = byName.get(name);
    const wrong = (message: string): Plan => ({ ...plan, outcome: 'wrong', message });
    if (id !== '' && !known) return wrong(new AppError('device.not_found').message);
    const checked = deviceName.safeParse(name);
    if (!checked.success) return wrong(checked.error.issues[0]?.message ?? '');
    if (plan.kind !== '' && !arch.safeParse(plan.kind).success) {
      return wrong(new AppError('device.arch_unknown', { arch: plan.kind }).message);
    }
    if (taken.has(name) || (owner && owner.id !== known?.id)) {
      return wrong(new AppError('device.name_taken', { name }).message);
    }
    taken.add(name);
    if (!known) return { ...plan, outcome: 'new' };
    const isSame = known.name === name && !isOther(known.info, { ...known.info, ...info });
    return { ...plan, outcome: isSame ? 'same' : 'changed' };
  });
  const nothing = { name: '', known: null, kind: '', info: {} };
  return [
    ...plans,
    ...faults.map(({ line, message }): Plan => ({ ...nothing, line, outcome: 'wrong', message })),
  ].toSorted((one, other) => one.line - other.line);
}

interface Lines {
  columns: string[];
  lines: { line: number; row: Record<string, string> }[];
  /** Lines that were meant otherwise than they read. */
  faults: { line: number; message: string }[];
}

function readLines(csv: string): Lines {
  let columns: string[] = [];
  const faults: Lines['faults'] = [];
  const faultOf = ({ code, lines }: CsvError) => {
    const kind =
      code === 'CSV_RECORD_INCONSISTENT_COLUMNS' ? 'bulk_action.csv_cells' : 'bulk_action.csv_quotes';
    faults.push({ line: Number(lines ?? 0), message: new AppError(kind).message });
    return undefined;
  };
  const options: Options = {
    bom: true,
    info: true,
    columns: (names: string[]) => {
      // A second column of one name is another field: it takes nothing from the first.
      columns = names.map((name, at) => (names.indexOf(name) === at ? name : name && `${name}_${at + 1}`));
      return columns;
    },
    delimiter: delimiterIn(csv),
    trim: true,
    relax_column_count_less: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    skip_records_with_error: true,
    on_skip: (error) => error && faultOf(error),
    // What another program has added may end its lines otherwise than those before.
    record_delimiter: ['\r\n', '\n', '\r'],
  };
  const read = parse(csv, options) as unknown as { record: Record<string, string>; info: Info }[];
  return { columns, lines: read.map(({ record, info }) => ({ line: info.lines, row: record })), faults };
}

/** What was defused on the way out is as it was again. */
const plain = (cell: unknown): string =>
  typeof cell === 'string' ? cell.trim().replace(/^'(?=[=+\-@\t\r])/, '') : '';

const isOther = (before: Record<string, string>, after: Record<string, string>): boolean =>
  Object.entries(after).some(([field, value]) => before[field] !== value);
