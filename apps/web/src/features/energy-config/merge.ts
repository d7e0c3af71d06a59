import type { VersionChange } from '@albedo/contract/history/history.schema';
import { isSame } from './use-config.ts';

type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What two people made of one thing: what only one of them changed is taken from them, and yours where both did. */
export function merged<T>(base: T, yours: T, theirs: T): T {
  if (isSame(base, yours)) return theirs;
  if (isSame(base, theirs) || !isTree(base) || !isTree(yours) || !isTree(theirs)) return yours;
  const keys = new Set([...Object.keys(theirs), ...Object.keys(yours)]);
  const entries = [...keys].flatMap((key): [string, unknown][] => {
    const value = merged<unknown>(base[key], yours[key], theirs[key]);
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(entries) as T;
}

/** What became different, one entry for each place; a list that changed is one place. */
export function changesOf(old: unknown, now: unknown, path: (string | number)[] = []): VersionChange[] {
  if (isSame(old, now)) return [];
  if (!isTree(old) || !isTree(now)) {
    const type = old === undefined ? 'CREATE' : now === undefined ? 'REMOVE' : 'CHANGE';
    return [{ type, path, old: countOf(old), now: countOf(now) }];
  }
  const keys = new Set([...Object.keys(old), ...Object.keys(now)]);
  return [...keys].flatMap((key) => changesOf(old[key], now[key], [...path, key]));
}

/** Of a list how long it is: nobody compares a thousand codes by eye. */
const countOf = (value: unknown): unknown => (Array.isArray(value) ? `[${value.length}]` : value);
