import type { Option, Options } from './command-line/arguments.ts';
import type { ArgumentLook, PackageFacts } from './package-facts.ts';
import type { Plugin } from './plugin.ts';

const SCHEMA = 'urn:albedo:plugin-spec:1';
const LOGS = '/opt/albedo/logs';

/** The spec of a plugin, from which forms for its arguments are made. It has no version: the package gives it one. */
export function specOf(plugin: Plugin, facts: PackageFacts, shared: Options): Record<string, unknown> {
  const look = facts.arguments ?? {};
  const places = (names: string[]) => names.map((name) => argumentOf(name, null, look[name]));
  const named = (options: Options) =>
    Object.entries(options).map(([name, option]) => argumentOf(name, option, look[name]));
  const { devices = [], paths = [] } = facts.uses ?? {};
  return {
    $schema: SCHEMA,
    name: facts.name,
    title: facts.title,
    summary: plugin.summary,
    type: 'program',
    binary: plugin.name,
    labels: facts.labels.length > 0 ? facts.labels : ['other'],
    service: true,
    uses: { devices, paths },
    cmdSpec: {
      actionSpecs: {
        shared: { mandatory: places(plugin.positionals), optional: named({ ...plugin.options, ...shared }) },
        discover: { command: 'discover', format: 'text', mandatory: [], optional: [] },
        log: { command: 'log', format: 'csv', mandatory: [OUTPUT], optional: [] },
      },
    },
  };
}

const OUTPUT = {
  option: 'output_directory',
  type: 'text',
  default: LOGS,
  help: 'folder that the agent captures',
};

function argumentOf(name: string, option: Option | null, look: ArgumentLook = {}): Record<string, unknown> {
  const initial = option && 'default' in option ? String(option.default) : '';
  return {
    option: name,
    type: typeOf(option),
    ...(option ? { prefix: `--${name}`, help: option.help } : {}),
    ...(initial === '' ? {} : { default: initial }),
    ...(option?.kind === 'choice' ? { options: [...option.options] } : {}),
    ...look,
  };
}

function typeOf(option: Option | null): string {
  if (option === null) return 'text';
  if (option.kind === 'file') return 'fileContent';
  return option.kind === 'secret' ? 'password' : option.kind;
}
