import {
  type Activity,
  argumentPath,
  isSourceMap,
  type PluginArgument,
  type PluginService,
  type PluginSpec,
  type PluginTask,
  RUN_INTERVALS,
  type RunInterval,
  type TaskAction,
  type TaskArguments,
} from '@albedo/contract/plugins/plugins.schema';
import Papa from 'papaparse';
import type { PresentActivity } from './plugins.queries.ts';

/** What the form of an activity holds: a text for each argument, `true` for a flag that is set. */
export interface ActivityValues {
  type: 'service' | 'task';
  name: string;
  /** Of a service, s. */
  frequency: string;
  /** Of a task. */
  interval: RunInterval;
  /** Of a task. */
  action: TaskAction;
  values: Readonly<Record<string, string>>;
}

const isFile = ({ type }: PluginArgument): boolean => type === 'fileContent' || type === 'sourceMap';

/** What people are asked for: what an action needs, and what it may have. A service always logs. */
export function argumentsOf({ cmdSpec: { actionSpecs } }: PluginSpec, action: TaskAction = 'log') {
  const { shared, [action]: own } = actionSpecs;
  return {
    mandatory: [...shared.mandatory, ...own.mandatory],
    optional: [...shared.optional, ...own.optional],
  };
}

const columnOf = ({ option, serviceName }: PluginArgument): string => serviceName ?? option;

/** The form of an activity that is there, or of a new one. Null where it says more than a form shows. */
export function formOf(
  spec: PluginSpec,
  present: PresentActivity | null,
  root: string,
  type: 'service' | 'task' = 'service',
): ActivityValues | null {
  if (!present) {
    const given = argumentsOf(spec).mandatory.map((one) => [one.option, initialOf(one, root)] as const);
    return {
      type,
      name: '',
      frequency: '60',
      interval: '5m',
      action: 'log',
      values: Object.fromEntries(given),
    };
  }
  return present.type === 'service' ? formOfService(spec, present) : formOfTask(spec, present);
}

function formOfService(spec: PluginSpec, service: PluginService): ActivityValues | null {
  const { data } = Papa.parse<Record<string, string>>(service.file, {
    header: true,
    skipEmptyLines: true,
    comments: '#',
    transform: (cell) => cell.trim(),
    transformHeader: (cell) => cell.trim(),
  });
  const [row] = data;
  if (data.length !== 1 || !row) return null;
  const flags = new Set((row.flags ?? '').split(':'));
  const { mandatory, optional } = argumentsOf(spec);
  const values = [...mandatory, ...optional].map((one) => {
    if (one.type === 'flag') return [one.option, flags.has(columnOf(one)) ? 'true' : ''];
    if (isFile(one)) return [one.option, service.files[one.option] ?? ''];
    return [one.option, row[columnOf(one)] ?? ''];
  });
  return {
    ...{ type: 'service', name: service.name, frequency: row.frequency ?? '', interval: '5m', action: 'log' },
    values: Object.fromEntries(values),
  };
}

function formOfTask(
  spec: PluginSpec,
  { name, frequency, arguments: given, files }: PluginTask,
): ActivityValues | null {
  if (!given) return null;
  const { action } = given;
  const { mandatory, optional } = argumentsOf(spec, action);
  const named = new Map(Object.entries(given.optional));
  const secrets = new Map(Object.entries(given.secrets));
  const textFor = (one: PluginArgument, at: number): string => {
    if (isFile(one)) return files[one.option] ?? '';
    if (one.type === 'flag') return given.flags.includes(one.option) ? 'true' : '';
    if (one.type === 'password') return secrets.get(one.option) ?? '';
    return (at < mandatory.length ? given.mandatory[at] : named.get(one.option)) ?? '';
  };
  const values = [...mandatory, ...optional].map((one, at) => [one.option, textFor(one, at)]);
  const seconds = String(RUN_INTERVALS[frequency]);
  const when = { frequency: seconds, interval: frequency };
  return { type: 'task', name, ...when, action, values: Object.fromEntries(values) };
}

const initialOf = ({ option, default: initial = '' }: PluginArgument, root: string): string =>
  option === 'output_directory' ? root + initial : initial;

/** Arguments that an activity cannot do without and that have nothing. */
export const missingOf = (spec: PluginSpec, { values, ...form }: ActivityValues): string[] =>
  argumentsOf(spec, actionOf(form))
    .mandatory.map(({ option }) => option)
    .filter((option) => (values[option] ?? '').trim() === '');

/** What the command does that the form is about. */
export const actionOf = ({ type, action }: Pick<ActivityValues, 'type' | 'action'>): TaskAction =>
  type === 'task' ? action : 'log';

/** Source maps with a rule that does not say what is called how. */
export const wrongMapsOf = (spec: PluginSpec, { values, ...form }: ActivityValues): string[] => {
  const { mandatory, optional } = argumentsOf(spec, actionOf(form));
  return [...mandatory, ...optional]
    .filter(({ type, option }) => type === 'sourceMap' && !isSourceMap(values[option] ?? ''))
    .map(({ option }) => option);
};

/** The activity that the form says. */
export const activityOf = (
  spec: PluginSpec,
  form: ActivityValues,
  root: string,
  isDisabled: boolean,
): Activity =>
  form.type === 'service'
    ? { type: 'service', name: form.name, isDisabled, ...fileOf(spec, form, root) }
    : { type: 'task', name: form.name, frequency: form.interval, isDisabled, ...commandOf(spec, form, root) };

/** What the command of a task is given. Empty optional arguments are left out. */
function commandOf(spec: PluginSpec, { name, values, action }: ActivityValues, root: string) {
  const { mandatory, optional } = argumentsOf(spec, action);
  const files: Record<string, string> = {};
  const given: TaskArguments = { action, mandatory: [], optional: {}, flags: [], secrets: {} };
  const textOf = (one: PluginArgument): string => {
    const value = values[one.option] ?? '';
    if (!isFile(one)) return value.trim();
    files[one.option] = value.trim() === '' ? '' : value;
    return value.trim() === '' ? '' : root + argumentPath(name, one.option);
  };
  for (const one of mandatory) given.mandatory.push(textOf(one));
  for (const one of optional) {
    const text = textOf(one);
    if (text === '') continue;
    if (one.type === 'flag') given.flags.push(one.option);
    else if (one.type === 'password') given.secrets[one.option] = text;
    else given.optional[one.option] = text;
  }
  return { arguments: given, files };
}

/** The service file with its one row. Empty optional arguments are left out. */
function fileOf(spec: PluginSpec, { name, frequency, values }: ActivityValues, root: string) {
  const { mandatory, optional } = argumentsOf(spec);
  const row: Record<string, string> = { _name: name, _plugin: spec.name };
  const files: Record<string, string> = {};
  const flags: string[] = [];
  for (const one of [...mandatory, ...optional]) {
    const value = values[one.option] ?? '';
    if (one.type === 'flag') {
      if (value === 'true') flags.push(columnOf(one));
    } else if (isFile(one)) {
      files[one.option] = value.trim() === '' ? '' : value;
      if (value.trim() !== '') row[columnOf(one)] = root + argumentPath(name, one.option);
    } else if (value.trim() !== '') row[columnOf(one)] = value.trim();
  }
  if (flags.length > 0) row.flags = flags.join(':');
  if (frequency !== '') row.frequency = frequency;
  const file = `${Papa.unparse([row], { newline: '\n' })}\n`;
  return { file, files };
}
