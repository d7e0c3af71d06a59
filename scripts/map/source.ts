/** Reads files of the repository. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const HOUSE = join(import.meta.dirname, '../..');

const read = new Map<string, string>();

/** The text of a file, in which an escaped quotation mark reads as a plain one; null if the file does not exist. */
export function sourceOf(file: string): string | null {
  const cached = read.get(file);
  if (cached !== undefined) return cached;
  const path = join(HOUSE, file);
  if (!existsSync(path)) return null;
  const text = readFileSync(path, 'utf8').replaceAll("\\'", "'");
  read.set(file, text);
  return text;
}

/**
 * What each test shows, by file and title. If a test file writes an item in another way, that text follows an arrow:
 * `PUT devices/{wg}/{device}/modbus → '/modbus'`.
 */
export type Shown = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

export interface Witness {
  file: string;
  title: string;
  /** What the file has to contain, if that is not the item itself. */
  sees: string | null;
}

/** The test that shows each item. */
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
 * What is wrong with the test named for an item; null if the test shows it. `isSeen` judges the text of the file, unless the
 * witness says what to look for.
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
