import type { CommissioningPlan, PlantMachine } from '@albedo/contract/commissioning/commissioning.schema';
import type { AskResult } from '@albedo/contract/link/link.asks';
import { Document, isMap, isSeq, parseDocument } from 'yaml';

type Kept = AskResult<'machines.keep'>;

/** What a device tells of itself and nobody configures. Source: specification 2, section 3. */
const TOLD = ['timezone', 'dynamic'];

/** All bus addresses behind one port that one plugin reads. */
export interface Line extends Pick<PlantMachine, 'reader' | 'host' | 'port'> {
  units: number[];
}

export function linesOf(machines: readonly PlantMachine[]): Line[] {
  const groups = Map.groupBy(machines, ({ reader, host, port }) => `${reader} ${host} ${port}`);
  return [...groups.values()].flatMap((those) => {
    const [first] = those;
    if (!first) return [];
    const { reader, host, port } = first;
    return [{ reader, host, port, units: those.map(({ unit }) => unit).toSorted((a, b) => a - b) }];
  });
}

/** What the plugins call each machine instead of its address. */
export const sourceMapOf = (machines: readonly PlantMachine[]): string =>
  machines.map(({ host, port, unit, name }) => `${escaped(`${host}/${port}/${unit}`)}$,${name}\n`).join('');

/** A pattern that means the text itself. */
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * The configuration with a command for each line that reads its machines again and again. Entries that an earlier attempt
 * made are replaced; everything else stays as it was written. Null where the text is no configuration.
 */
export function withReadings(text: string, plan: CommissioningPlan, kept: Kept): string | null {
  const document = parseDocument(text);
  if (document.errors.length > 0 || !isMap(document.contents)) return null;
  const entries = document.get('run');
  const list = isSeq(entries) ? entries : new Document([]).contents;
  if (!isSeq(list)) return null;
  list.items = list.items.filter(
    (entry) => !(isMap(entry) && String(entry.get('command') ?? '').includes(quoted(kept.sourceMap))),
  );
  list.flow = false;
  for (const line of linesOf(plan.machines)) {
    list.add(
      document.createNode({
        table: 'plugins',
        // A source of the configuration has no full stop in its name.
        source: `${line.reader} ${line.host.replaceAll('.', '-')} ${line.port}`,
        command: commandOf(line, kept),
        frequency: plan.intervalS,
        expect: 'log',
      }),
    );
  }
  document.set('run', list);
  for (const key of TOLD) document.delete(key);
  return document.toString({ lineWidth: 0 });
}

function commandOf({ reader, host, port, units }: Line, kept: Kept): string {
  const map = reader === 'modbus' ? [kept.registerMap] : [];
  const places = [host, units.join(','), ...map, kept.logs];
  const options = ['--port', String(port), '--source_map', kept.sourceMap];
  return [kept.programs[reader], 'log', ...places, ...options].map(quoted).join(' ');
}

/** One word of a shell, whatever stands in it. */
const quoted = (word: string): string =>
  /^[\w./:,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
