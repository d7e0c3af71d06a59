import type { BoardItem } from '@albedo/contract/boards/board-items';
import type { Draft } from 'immer';
import { useCallback, useEffect, useState } from 'react';
import type { BoardDraft } from '../boards.queries.ts';
import { type History, redo, startOf, stepOf, undo } from './history.ts';
import { forgetDraft, keepDraft, readDraft } from './kept-draft.ts';

/** Between a change and its copy in this browser, ms. */
const KEEP_MS = 400;

export interface Editor {
  draft: BoardDraft;
  /** What was loaded, or saved last, with its version; undefined for a new board. */
  base: BoardDraft;
  version: number | undefined;
  isChanged: boolean;
  /** When the draft was kept that was found at the start, epoch ms; null where there was none. */
  foundAt: number | null;
  canUndo: boolean;
  canRedo: boolean;
  change: (recipe: (draft: Draft<BoardDraft>) => void, kind?: string) => void;
  undo: () => void;
  redo: () => void;
  /** Goes on from a version of the server, with what is edited now or with something else. */
  rebase: (base: BoardDraft, version: number, draft: BoardDraft) => void;
  /** Gives up what was not saved. */
  discard: () => void;
}

/** A board in the hands of somebody who edits it. `name` is what its draft is kept under. */
export function useEditor(
  wg: string,
  name: string,
  loaded: BoardDraft,
  loadedVersion: number | undefined,
): Editor {
  const [found] = useState(() => readDraft(wg, name));
  const [from, setFrom] = useState({
    base: found?.base ?? loaded,
    version: found ? found.version : loadedVersion,
  });
  const [history, setHistory] = useState<History<BoardDraft>>(() => startOf(found?.draft ?? loaded));
  const [foundAt, setFoundAt] = useState(found?.at ?? null);
  const draft = history.present;
  const { base, version } = from;
  const isChanged = draft !== base && JSON.stringify(draft) !== JSON.stringify(base);

  useEffect(() => {
    const timer = setTimeout(() => {
      if (isChanged) keepDraft(wg, name, { draft, base, version, at: Date.now() });
      else forgetDraft(wg, name);
    }, KEEP_MS);
    return () => clearTimeout(timer);
  }, [wg, name, draft, base, version, isChanged]);

  return {
    draft,
    base,
    version,
    isChanged,
    foundAt,
    canUndo: history.done.length > 0,
    canRedo: history.undone.length > 0,
    change: useCallback((recipe, kind) => {
      setHistory((old) => stepOf(old, recipe, { kind: kind ?? null }));
    }, []),
    undo: useCallback(() => setHistory(undo), []),
    redo: useCallback(() => setHistory(redo), []),
    rebase: useCallback(
      (nextBase: BoardDraft, nextVersion: number, next: BoardDraft) => {
        setFrom({ base: nextBase, version: nextVersion });
        setFoundAt(null);
        setHistory((old) => stepOf(old, (one) => void Object.assign(one, next)));
        forgetDraft(wg, name);
      },
      [wg, name],
    ),
    discard: useCallback(() => {
      forgetDraft(wg, name);
      setFoundAt(null);
      setFrom({ base: loaded, version: loadedVersion });
      setHistory(startOf(loaded));
    }, [wg, name, loaded, loadedVersion]),
  };
}

/** The widget with the id, wherever it is. */
export function findItem(items: readonly BoardItem[], id: string | null): BoardItem | undefined {
  for (const one of items) {
    if (one.id === id) return one;
    const inside = findItem(one.items ?? [], id);
    if (inside) return inside;
  }
  return undefined;
}
