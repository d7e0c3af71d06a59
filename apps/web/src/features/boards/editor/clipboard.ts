import type { BoardItem } from '@albedo/contract/boards/board-items';

const KEY = 'albedo.board-clipboard';

/** Widgets can be copied between boards, also of another tab. */
export function copyItem(item: BoardItem): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(item));
  } catch {
    // A full disk or a private window: there is nothing to paste then.
  }
}

export function pastedItem(): BoardItem | null {
  try {
    const item = JSON.parse(localStorage.getItem(KEY) ?? 'null') as BoardItem | null;
    return item && typeof item.kind === 'string' ? withNewIds(item) : null;
  } catch {
    // Something else stands there.
    return null;
  }
}

/** Ids are of their own within a board. */
export const withNewIds = (item: BoardItem): BoardItem => ({
  ...item,
  id: newId(),
  ...(item.items ? { items: item.items.map(withNewIds) } : {}),
});

export const newId = (): string => crypto.randomUUID().slice(0, 13);
