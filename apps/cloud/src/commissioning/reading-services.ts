import type { Commissioning, CommissioningPlan } from '@albedo/contract/commissioning/commissioning.schema';
import type { AskInput } from '@albedo/contract/link/link.asks';
import { argumentPath, type PluginService } from '@albedo/contract/plugins/plugins.schema';
import { type Line, linesOf, sourceMapOf } from './lines.ts';

/** Where plugins write what they read, below the root of the agent. */
const OUTPUT = '/opt/albedo/logs';
/** Column of a service file that plugins leave alone: the setup that made it. */
const SETUP = '_setup';

type WantedService = AskInput<'services.put'>;

/** The services that read the machines of a plan: one for each plugin and port. */
export function servicesOf({ id, plan }: Pick<Commissioning, 'id' | 'plan'>, root: string): WantedService[] {
  return linesOf(plan.machines).map((line) => {
    const name = serviceNameOf(line);
    const files = {
      source_map: sourceMapOf(plan.machines),
      ...(line.reader === 'modbus' ? { config_file: plan.registerMap } : {}),
    };
    const row = rowOf(line, name, id, plan, root, Object.keys(files));
    const file = [Object.keys(row), Object.values(row)].map((cells) => `${cells.map(cell).join(',')}\n`);
    return { plugin: line.reader, name, file: file.join(''), isDisabled: false, files };
  });
}

/** Services that an earlier attempt of the same setup made and that the plan has no more. */
export const leftOf = (
  { id }: Pick<Commissioning, 'id'>,
  there: readonly PluginService[],
  wanted: readonly WantedService[],
): PluginService[] =>
  there.filter(({ name, file }) => isOf(id, file) && !wanted.some((one) => one.name === name));

/** The same name as the one that a scan of the device proposes, so that nothing is read twice. */
function serviceNameOf({ reader, host, port }: Line): string {
  const place = host
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 44);
  return `${reader}-${place}-${port}`;
}

function rowOf(
  { reader, host, port, units }: Line,
  name: string,
  setup: string,
  { intervalS }: CommissioningPlan,
  root: string,
  files: readonly string[],
): Record<string, string> {
  const paths = files.map((option) => [option, root + argumentPath(name, option)]);
  return {
    _name: name,
    _plugin: reader,
    [SETUP]: setup,
    endpoint: host,
    bus_addresses: units.join(','),
    port: String(port),
    ...Object.fromEntries(paths),
    output_directory: root + OUTPUT,
    frequency: String(intervalS),
  };
}

/** No value has quotes or line ends: places, numbers and paths. */
const cell = (text: string): string => (text.includes(',') ? `"${text}"` : text);

function isOf(setup: string, file: string): boolean {
  const [header = '', row = ''] = file.split('\n');
  return header.split(',').includes(SETUP) && row.includes(setup);
}
