/** What stands in the files of the house. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const HOUSE = join(import.meta.dirname, '../..');

const read = new Map<string, string>();

/** The text of a file, with quotation marks as they are meant; null where there is none. */
export function sourceOf(file: string): string | null {
  const known = read.get(file);
  if (known !== undefined) return known;
  const path = join(HOUSE, file);
  if (!existsSync(path)) return null;
  const text = readFileSync(path, 'utf8').replaceAll("\\'", "'");
  read.set(file, text);
  return text;
}

/**
 * Tests by file, by title, with what each of them shows. What a test file calls otherwise than by its own name stands behind
 * an arrow: `PUT devices/{wg}/{device}/modbus → '/modbus'`.
 */
export type Shown = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

export interface Witness {
  file: string;
  title: string;
  /** What the file has to contain, where that is not the item itself. */
  sees: string | null;
}

/** Who shows which item. */
export function witnesses(shown: Shown): Map<string, Witness> {
  const all = new Map<string, Witness>();
  for (const [file, tests] of Object.entries(shown))
    for (const [title, items] of Object.entries(tests))
      for (const line of items) {
        const [item = '', sees = null] = line.split(' → ');
        if (all.has(item)) throw new Error(`${item} is named twice, the second time in ${file}.`);
        all.set(item, { file, title, sees });
      }
  return all;
}

/**
 * What is wrong with what is said of a test; null when it stands there. `isSeen` judges the text of the file, where nothing
 * else is said of it.
 */
export function faultOf(
  item: string,
  witness: Witness | undefined,
  isSeen: (source: string) => boolean,
): string | null {
  if (!witness) return `${item}: no test is named that shows it.`;
  const { file, title, sees } = witness;
  const source = sourceOf(file);
  if (source === null) return `${item}: there is no ${file}.`;
  const isThere = [`'${title}'`, `"${title}"`, `\`${title}\``].some((quoted) => source.includes(quoted));
  if (!isThere) return `${item}: ${file} has no test "${title}".`;
  if (sees === null ? isSeen(source) : source.includes(sees)) return null;
  return `${item}: ${file} does not contain ${sees ?? 'it'}.`;
}
