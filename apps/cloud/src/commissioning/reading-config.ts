import {
  type CommissioningPlan,
  commissioningPlan,
} from '@albedo/contract/commissioning/commissioning.schema';
import type { AskResult } from '@albedo/contract/link/link.asks';
import { Document, isMap, isSeq, parseDocument } from 'yaml';
import { type Line, linesOf } from './lines.ts';

type Kept = AskResult<'machines.keep'>;

/** What a device tells of itself and nobody configures. Source: specification 2, section 3. */
const TOLD = ['timezone', 'dynamic'];

/**
 * The configuration of a cloud device, which has no services, with a command for each line that reads its machines again and
 * again. Entries that an earlier attempt made are replaced; everything else stays as it was written. Null where the text is
 * no configuration.
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

/** The configuration without the commands of an attempt from before plugins had services; null where it has none. */
export function withoutReadings(text: string, id: string, root: string): string | null {
  const sourceMap = `${root}/etc/albedo/machines/${id}.map`;
  if (!text.includes(sourceMap)) return null;
  const none = commissioningPlan.parse({});
  return withReadings(text, none, {
    sourceMap,
    registerMap: '',
    logs: '',
    programs: { sunspec: '', modbus: '' },
  });
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
