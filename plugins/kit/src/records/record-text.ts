import { cellText, columnText, oneLine } from './csv-format.ts';
import { type PluginRecord, sourceName } from './record.ts';
import type { SourceMap } from './source-map.ts';

/** What stands in the place of a value that there is none of. Who reads it back: the agent, for the cloud. */
const NOT_MEASURED = 'not measured';

/** A record as people read it: aligned names and values, without a line end. */
export function recordText(record: PluginRecord, map: SourceMap | null = null): string {
  const source = sourceName(record.source);
  const mapped = map?.rename(source) ?? source;
  const said: [string, string][] = [
    ['Table', record.table],
    ['Source', mapped === source ? source : `${mapped} (${source})`],
    ...(record.at === undefined ? [] : [['Time', cellText(new Date(record.at))] as [string, string]]),
    ...(record.about ?? []),
    ...record.columns.map((column, index): [string, string] => [
      columnText(column),
      cellText(record.values[index] ?? null) || NOT_MEASURED,
    ]),
  ];
  const lines = said.map(([name, text]) => [oneLine(name), oneLine(text)] as const);
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines.map(([name, text]) => `${name.padEnd(width)}  ${text}`.trimEnd()).join('\n');
}
