import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

/** A line of a file is never longer; what is, counts as none. */
const MOST_BYTES = 65_536;
/** `name(type:units)`, as a header says it. */
const COLUMN = /^(.*)\((?:keyword|integer|decimal|bool|date|discard)(?::[^()]*)?\)$/;

/** The newest record of a file of readings. */
export interface Latest {
  /** When it was measured, epoch ms. */
  at: number;
  values: ReadonlyMap<string, number>;
}

/** Reads the last whole line of a `latest.csv`; null where there is none. Texts and empty values are left out. */
export function readLatest(path: string): Latest | null {
  const ends = endsOf(path);
  if (!ends) return null;
  const [header, line] = ends.map(cellsOf);
  const at = Date.parse((line?.[0] ?? '').replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  if (!header || !line || !Number.isFinite(at)) return null;
  const values = new Map<string, number>();
  for (const [index, column] of header.entries()) {
    const [, name] = COLUMN.exec(column) ?? [];
    const cell = line[index] ?? '';
    const value = Number(cell);
    if (index > 0 && name !== undefined && cell !== '' && Number.isFinite(value)) values.set(name, value);
  }
  return { at, values };
}

/** The first and the last line. A line without its end is still being written. */
function endsOf(path: string): [string, string] | null {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    // Nothing was read yet, or the file starts over just now.
    return null;
  }
  try {
    const { size } = fstatSync(file);
    const bytes = Math.min(size, MOST_BYTES);
    const first = textOf(file, 0, bytes).split('\n')[0] ?? '';
    const tail = textOf(file, size - bytes, bytes);
    const last = tail.slice(0, tail.lastIndexOf('\n')).split('\n').at(-1) ?? '';
    return first.startsWith('# ') && last !== first ? [first.slice(2), last] : null;
  } finally {
    closeSync(file);
  }
}

function textOf(file: number, from: number, bytes: number): string {
  const buffer = Buffer.alloc(bytes);
  return buffer.toString('utf8', 0, readSync(file, buffer, 0, bytes, from));
}

function cellsOf(line: string): string[] | undefined {
  try {
    const [cells] = parse(line, { escape: '\\', relax_quotes: true, relax_column_count: true }) as string[][];
    return cells;
  } catch {
    return undefined;
  }
}
