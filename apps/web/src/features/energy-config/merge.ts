import type { VersionChange } from '@albedo/contract/history/history.schema';
import { isSame } from '../../app/versions/same.ts';

type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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
