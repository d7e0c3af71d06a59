import type { PluginSpec, TaskArguments } from '@albedo/contract/plugins/plugins.schema';
import Papa from 'papaparse';
import { argumentsOf } from './activity-form.ts';
import type { PresentActivity } from './plugins.queries.ts';

/** How the arguments of an activity fit the version of its plugin that is there now. */
export interface Repair {
  /** Arguments that the plugin does not know any more. */
  leftOut: string[];
  /** What has a place instead of a name does not fit, so nobody knows which value is which. */
  isImpossible: boolean;
}

/** Columns of a service file that are no arguments. */
const OWN_COLUMNS = ['frequency', 'flags'];

export function repairOf(spec: PluginSpec, present: PresentActivity | null): Repair {
  if (present?.type === 'service') return { leftOut: strangersOf(spec, present.file), isImpossible: false };
  if (!present?.arguments) return { leftOut: [], isImpossible: false };
  const { action, mandatory: placed, optional, flags, secrets } = present.arguments;
  const known = argumentsOf(spec, action);
  const options = new Set(known.optional.map(({ option }) => option));
  const given = namesIn({ optional, flags, secrets });
  return {
    leftOut: given.filter((name) => !options.has(name)),
    isImpossible: placed.length !== known.mandatory.length,
  };
}

const namesIn = ({ optional, flags, secrets }: Pick<TaskArguments, 'optional' | 'flags' | 'secrets'>) => [
  ...Object.keys(optional),
  ...flags,
  ...Object.keys(secrets),
];

function strangersOf(spec: PluginSpec, file: string): string[] {
  const { mandatory, optional } = argumentsOf(spec);
  const known = new Set([...mandatory, ...optional].map((one) => one.serviceName ?? one.option));
  const { data, meta } = Papa.parse<Record<string, string>>(file, {
    header: true,
    skipEmptyLines: true,
    comments: '#',
    transformHeader: (cell) => cell.trim(),
  });
  const columns = (meta.fields ?? []).filter((one) => !one.startsWith('_') && !OWN_COLUMNS.includes(one));
  const filled = columns.filter((one) => data.some((row) => (row[one] ?? '').trim() !== ''));
  const flags = data.flatMap((row) => (row.flags ?? '').split(':')).map((one) => one.trim());
  return [...new Set([...filled, ...flags])].filter((one) => one !== '' && !known.has(one));
}
