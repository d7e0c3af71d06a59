import {
  argumentPath,
  type PluginArgument,
  type PluginService,
  type PluginSpec,
} from '@albedo/contract/plugins/plugins.schema';
import Papa from 'papaparse';

/** What a form for a service holds: a text for each argument, `true` for a flag that is set. */
export interface ServiceValues {
  name: string;
  frequency: string;
  values: Readonly<Record<string, string>>;
}

const isFile = ({ type }: PluginArgument): boolean => type === 'fileContent' || type === 'sourceMap';

/** What people are asked for: what a service needs, and what it may have. */
export function argumentsOf({ cmdSpec: { actionSpecs } }: PluginSpec) {
  const { shared, log } = actionSpecs;
  return {
    mandatory: [...shared.mandatory, ...log.mandatory],
    optional: [...shared.optional, ...log.optional],
  };
}

const columnOf = ({ option, serviceName }: PluginArgument): string => serviceName ?? option;

/** The form of a service that is there, or of a new one. Null where its file has more rows than a form shows. */
export function formOf(spec: PluginSpec, service: PluginService | null, root: string): ServiceValues | null {
  const { mandatory, optional } = argumentsOf(spec);
  if (!service) {
    const given = mandatory.map((one) => [one.option, initialOf(one, root)] as const);
    return { name: '', frequency: '60', values: Object.fromEntries(given) };
  }
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
  const values = [...mandatory, ...optional].map((one) => {
    if (one.type === 'flag') return [one.option, flags.has(columnOf(one)) ? 'true' : ''];
    if (isFile(one)) return [one.option, service.files[one.option] ?? ''];
    return [one.option, row[columnOf(one)] ?? ''];
  });
  return { name: service.name, frequency: row.frequency ?? '', values: Object.fromEntries(values) };
}

const initialOf = ({ option, default: initial = '' }: PluginArgument, root: string): string =>
  option === 'output_directory' ? root + initial : initial;

/** Arguments that a service cannot do without and that have nothing. */
export const missingOf = (spec: PluginSpec, { values }: ServiceValues): string[] =>
  argumentsOf(spec)
    .mandatory.map(({ option }) => option)
    .filter((option) => (values[option] ?? '').trim() === '');

/** The service file with its one row. Empty optional arguments are left out. */
export function fileOf(spec: PluginSpec, { name, frequency, values }: ServiceValues, root: string) {
  const { mandatory, optional } = argumentsOf(spec);
  const row: Record<string, string> = { _name: name, _plugin: spec.name };
  const files: Record<string, string> = {};
  const flags: string[] = [];
  for (const one of [...mandatory, ...optional]) {
    const value = values[one.option] ?? '';
    if (one.type === 'flag') {
      if (value === 'true') flags.push(columnOf(one));
    } else if (isFile(one)) {
      files[one.option] = value;
      if (value.trim() !== '') row[columnOf(one)] = root + argumentPath(name, one.option);
    } else if (value.trim() !== '') row[columnOf(one)] = value.trim();
  }
  if (flags.length > 0) row.flags = flags.join(':');
  if (frequency !== '') row.frequency = frequency;
  const serviceFile = `${Papa.unparse([row], { newline: '\n' })}\n`;
  return { serviceFile, files };
}
