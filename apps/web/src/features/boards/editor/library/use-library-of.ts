import type { BoardItem } from '@albedo/contract/boards/board-items';
import type { LibraryWidget } from '@albedo/contract/boards/widget-library.schema';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { changeInLibrary, libraryQuery } from './library.queries.ts';
import { changedShared } from './shared-changes.ts';

type Opened = Pick<LibraryWidget, '_id' | 'name' | 'version' | 'item'>;

/** The library as it was when the editor saw it first: what somebody else saves later is not overwritten. */
export function useLibraryOf(wg: string) {
  const { data } = useQuery(libraryQuery(wg));
  const [opened, setOpened] = useState<ReadonlyMap<string, Opened>>(new Map());
  const fresh = (data ?? []).filter(({ _id }) => !opened.has(_id));
  if (fresh.length > 0) setOpened(new Map([...opened, ...fresh.map((one) => [one._id, one] as const)]));

  /** Saves the widgets of the library that are others now. Throws `library_widget.changed`. */
  const save = async (base: readonly BoardItem[], now: readonly BoardItem[]): Promise<void> => {
    for (const item of changedShared(base, now, opened)) {
      const kept = opened.get(item.library ?? '');
      if (!kept) continue;
      const next = await changeInLibrary(wg, kept, item);
      setOpened((all) => new Map(all).set(kept._id, next));
    }
  };
  return { save };
}
