import type { BoardItem } from '@albedo/contract/boards/board-items';

/** The widgets inside the groups of the path, from the outermost in; those of the board itself for an empty path. */
export function itemsAt(items: BoardItem[], path: readonly string[]): BoardItem[] {
  let inside = items;
  for (const id of path) {
    const group = inside.find((one) => one.id === id);
    if (!group) return inside;
    group.items ??= [];
    inside = group.items;
  }
  return inside;
}

/** As `itemsAt`, of what must not be changed. */
export function readItemsAt(items: readonly BoardItem[], path: readonly string[]): readonly BoardItem[] {
  let inside = items;
  for (const id of path) inside = inside.find((one) => one.id === id)?.items ?? [];
  return inside;
}
