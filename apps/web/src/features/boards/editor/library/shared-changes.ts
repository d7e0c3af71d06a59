import { type BoardItem, everyItem } from '@albedo/contract/boards/board-items';
import type { LibraryItem } from '@albedo/contract/boards/widget-library.schema';
import { sharedOf } from './library.queries.ts';

/**
 * One widget for each of the library that is another one now than in `base`, or where it was linked since then, than the
 * library says.
 */
export function changedShared(
  base: readonly BoardItem[],
  now: readonly BoardItem[],
  kept: ReadonlyMap<string, { item: LibraryItem }>,
): BoardItem[] {
  const before = new Map(everyItem(base).map((one) => [one.library, sharedOf(one)]));
  const changed = new Map<string, BoardItem>();
  for (const item of everyItem(now)) {
    const { library } = item;
    if (library === undefined || changed.has(library)) continue;
    const old = before.get(library) ?? kept.get(library)?.item;
    if (old && !isSame(old, sharedOf(item))) changed.set(library, item);
  }
  return [...changed.values()];
}

/** All others of the board that show the same widget of the library become what this one is. */
export function spreadShared(items: BoardItem[], of: BoardItem): void {
  if (of.library === undefined) return;
  for (const one of everyItem(items)) {
    if (one.library !== of.library || one.id === of.id) continue;
    const { title: _title, settings: _settings, variables: _variables, ...shared } = sharedOf(of);
    Object.assign(one, shared);
    for (const part of ['title', 'settings', 'variables'] as const) {
      if (of[part] === undefined) delete one[part];
      else Object.assign(one, { [part]: of[part] });
    }
  }
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

/** The same whatever the order in which fields were written. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  );
}
