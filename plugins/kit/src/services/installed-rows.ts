import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Options } from '../command-line/arguments.ts';
import { type Log, messageOf } from '../command-line/log.ts';
import { readText } from '../command-line/text-file.ts';
import { parseServiceFile, type ServiceRow } from './service-file.ts';

const FOLDER = 'etc/albedo/services';

/** Rows of the services that the agent below `root` keeps for a plugin; files that cannot be read are reported. */
export function installedRows(
  plugin: string,
  of: { root: string; positionals: string[]; options: Options; log: Log },
): ServiceRow[] {
  const folder = join(of.root, FOLDER);
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return files.flatMap(({ name }) => {
    const file = join(folder, name);
    try {
      const text = readText(file, 'service file');
      if (!isOf(text, plugin)) return [];
      const { rows, faults } = parseServiceFile(text, file, of.positionals, of.options);
      for (const fault of faults) of.log.error(fault.message);
      return rows;
    } catch (error) {
      of.log.error(messageOf(error));
      return [];
    }
  });
}

function isOf(text: string, plugin: string): boolean {
  const [header = [], ...rows] = parse(text, {
    bom: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    trim: true,
    comment: '#',
    comment_no_infix: true,
    skip_empty_lines: true,
    relax_column_count: true,
  }) as string[][];
  const at = header.indexOf('_plugin');
  return at >= 0 && rows.some((row) => row[at] === plugin);
}
