import { deviceConfigIssues } from '@albedo/contract/device-config/device-config.errors';
import { CONFIG_LISTS, type ConfigList } from '@albedo/contract/device-config/scenarios.schema';
import { generalIssues } from '@albedo/contract/http/issues';
import { z } from 'zod';

/** One column of a CSV, as the form has it. */
export interface ColumnRow {
  name: string;
  expect: string;
  units: string;
}

/** What stands in the form: texts, empty where nothing was said. */
export interface EntryForm {
  table: string;
  source: string;
  command: string;
  frequency: string;
  at: string;
  timeout: string;
  file: string;
  socket: string;
  directory: string;
  filename: string;
  from: string;
  expect: string;
  units: string;
  send_file: boolean;
  fields: ColumnRow[];
}
export type EntryKey = keyof EntryForm;

/** What the form asks for, list by list, in this order. */
export const ASKED: Record<ConfigList, readonly EntryKey[]> = {
  run: ['table', 'source', 'command', 'frequency', 'at', 'timeout', 'expect', 'units', 'fields'],
  tail: ['table', 'source', 'file', 'from', 'expect', 'units', 'fields'],
  watch: ['table', 'source', 'file', 'send_file', 'from'],
  unix_socket: ['table', 'source', 'socket', 'expect', 'units', 'fields'],
  dynamic_tail: ['directory', 'filename'],
  run_dir: ['directory', 'frequency'],
};
const NUMBERS: readonly EntryKey[] = ['frequency', 'timeout'];

/** Whether the form shows a key now: columns are of CSV alone, a unit of everything else. */
export const isAsked = (list: ConfigList, key: EntryKey, form: EntryForm): boolean =>
  ASKED[list].includes(key) &&
  (key === 'fields' ? form.expect === 'csv' : key === 'units' ? form.expect !== 'csv' : true);

/** The form of an entry, or of a new one. */
export function formOf(list: ConfigList, values: Readonly<Record<string, unknown>> | null): EntryForm {
  const text = (key: string): string => {
    const value = values && Object.hasOwn(values, key) ? values[key] : null;
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  const columns = Array.isArray(values?.fields) ? values.fields : [];
  return {
    table: text('table'),
    source: text('source'),
    command: text('command'),
    frequency: values === null && list === 'run' ? '60' : text('frequency'),
    at: text('at'),
    timeout: text('timeout'),
    file: text('file'),
    socket: text('socket'),
    directory: text('directory'),
    filename: values === null ? 'latest.csv' : text('filename'),
    from: text('from'),
    expect: values === null ? 'decimal' : text('expect'),
    units: unitsOf(values?.meta),
    send_file: values?.send_file === true,
    fields: columns.map((column: { name?: unknown; expect?: unknown; meta?: unknown }) => ({
      name: String(column?.name ?? ''),
      expect: String(column?.expect ?? 'decimal'),
      units: unitsOf(column?.meta),
    })),
  };
}

const unitsOf = (meta: unknown): string => {
  const units = typeof meta === 'object' && meta !== null ? (meta as { units?: unknown }).units : undefined;
  return typeof units === 'string' ? units : '';
};

/** The entry as the configuration says it. Keys that the form does not ask for stay as they were. */
export function entryOf(
  list: ConfigList,
  form: EntryForm,
  before: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const entry: Record<string, unknown> = { ...before };
  for (const key of ASKED[list]) {
    if (key === 'units' || key === 'fields') continue;
    const value = form[key];
    if (value === '' || (key === 'send_file' && value === false)) delete entry[key];
    else entry[key] = NUMBERS.includes(key) && !Number.isNaN(Number(value)) ? Number(value) : value;
  }
  if (ASKED[list].includes('units')) {
    const { units: _, ...meta } = (before.meta ?? {}) as Record<string, unknown>;
    const said = { ...meta, ...(form.units !== '' && form.expect !== 'csv' ? { units: form.units } : {}) };
    if (Object.keys(said).length > 0) entry.meta = said;
    else delete entry.meta;
  }
  if (ASKED[list].includes('fields')) {
    if (form.expect === 'csv') entry.fields = form.fields.map((row) => columnOf(row, before.fields));
    else delete entry.fields;
  }
  return entry;
}

/** A column with what was said of it besides. */
function columnOf({ name, expect, units }: ColumnRow, before: unknown): Record<string, unknown> {
  const known = (Array.isArray(before) ? before : []).find((one) => one?.name === name) as
    | Record<string, unknown>
    | undefined;
  const { units: _, ...meta } = (known?.meta ?? {}) as Record<string, unknown>;
  const said = { ...meta, ...(units === '' ? {} : { units }) };
  const { meta: _meta, ...rest } = known ?? {};
  return { ...rest, name, expect, ...(Object.keys(said).length > 0 ? { meta: said } : {}) };
}

const REQUIRED = generalIssues['issue.required'];

/** The form as the device would read it; what is wrong stands at its field. */
export const entrySchema = (list: ConfigList): z.ZodType<unknown, EntryForm> =>
  z
    .custom<EntryForm>()
    .transform((form, context) => {
      if (list === 'run' && (form.frequency === '') === (form.at === ''))
        context.addIssue({
          code: 'custom',
          path: ['frequency'],
          message: deviceConfigIssues['issue.config_schedule'],
        });
      if (form.expect === 'csv' && ASKED[list].includes('fields') && form.fields.length === 0)
        context.addIssue({
          code: 'custom',
          path: ['fields'],
          message: deviceConfigIssues['issue.config_columns'],
        });
      for (const key of demanded(list))
        if (form[key] === '') context.addIssue({ code: 'custom', path: [key], message: REQUIRED });
      if (isAsked(list, 'fields', form) && form.fields.some(({ name }) => name.trim() === ''))
        context.addIssue({ code: 'custom', path: ['fields'], message: REQUIRED });
      return entryOf(list, form);
    })
    .pipe(CONFIG_LISTS[list] as z.ZodType<unknown, Record<string, unknown>>);

/** What must be there. */
function demanded(list: ConfigList): EntryKey[] {
  const shape = CONFIG_LISTS[list].shape as Record<string, z.ZodType>;
  return ASKED[list].filter((key) => Object.hasOwn(shape, key) && !shape[key]?.safeParse(undefined).success);
}
