import {
  isSourceMap,
  type PluginArgument,
  type PluginSpec,
  type TaskArguments,
} from '@albedo/contract/plugins/plugins.schema';
import Papa from 'papaparse';
import { AppError } from '../errors/app-error.ts';

/**
 * Throws `plugin.source_map_invalid`. Without a spec, as of a plugin that came with the agent pack, the argument that all
 * plugins have is the one that is known. Source: specification 2, section 5.
 */
export function demandSourceMaps(spec: PluginSpec | null, files: Readonly<Record<string, string>>): void {
  const { shared, log } = spec?.cmdSpec.actionSpecs ?? NOTHING;
  const maps = [...shared.mandatory, ...shared.optional, ...log.mandatory, ...log.optional]
    .filter(({ type }) => type === 'sourceMap')
    .map(({ option }) => option);
  for (const [option, text] of Object.entries(files)) {
    if ((maps.includes(option) || option === 'source_map') && !isSourceMap(text))
      throw new AppError('plugin.source_map_invalid', { option });
  }
}

/** Throws `plugin.argument_missing` for a row of a service that lacks one. Source: specification 2, section 5. */
export function demandMandatory(spec: PluginSpec | null, serviceFile: string): void {
  const { shared, log } = spec?.cmdSpec.actionSpecs ?? NOTHING;
  const columns = [...shared.mandatory, ...log.mandatory].map((one) => one.serviceName ?? one.option);
  const { data } = Papa.parse<Record<string, string>>(serviceFile, {
    header: true,
    skipEmptyLines: true,
    comments: '#',
    transformHeader: (cell) => cell.trim(),
  });
  for (const row of data) {
    const option = columns.find((column) => (row[column] ?? '').trim() === '');
    if (option !== undefined) throw new AppError('plugin.argument_missing', { option });
  }
}

/** Throws `plugin.task_argument_missing` for a task that is not given what its action needs. */
export function demandMandatoryOfTask(spec: PluginSpec | null, { action, mandatory }: TaskArguments): void {
  const { shared, [action]: own } = spec?.cmdSpec.actionSpecs ?? NOTHING;
  const missing = [...shared.mandatory, ...own.mandatory].find(
    (_, at) => (mandatory[at] ?? '').trim() === '',
  );
  if (missing) throw new AppError('plugin.task_argument_missing', { option: missing.option });
}

/** Throws `plugin.task_argument_unknown` for a task that is given what its action does not take. */
export function demandKnownOfTask(
  spec: PluginSpec | null,
  { action, mandatory, ...named }: TaskArguments,
): void {
  // What came with the agent pack may take more than is known here.
  if (!spec) return;
  const { shared, [action]: own } = spec.cmdSpec.actionSpecs;
  const places = [...shared.mandatory, ...own.mandatory];
  const known = new Set([...places, ...shared.optional, ...own.optional].map(({ option }) => option));
  const { optional, flags, secrets } = named;
  const given = [
    ...Object.keys(optional),
    ...flags,
    ...Object.keys(secrets),
    ...mandatory.slice(places.length),
  ];
  const option = given.find((one) => !known.has(one));
  if (option !== undefined) throw new AppError('plugin.task_argument_unknown', { option });
}

const NO_ARGUMENTS = { mandatory: [] as PluginArgument[], optional: [] as PluginArgument[] };
const NOTHING = { shared: NO_ARGUMENTS, discover: NO_ARGUMENTS, log: NO_ARGUMENTS };
