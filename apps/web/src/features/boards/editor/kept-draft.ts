import { getSession } from '../../../app/session.ts';
import type { BoardDraft } from '../boards.queries.ts';

/** A board that somebody edits, in this browser until it is saved or given up: it survives crashes and sign-outs. */
export interface KeptDraft {
  draft: BoardDraft;
  /** What it began with, and its version; undefined for a new board. */
  base: BoardDraft;
  version: number | undefined;
  /** Epoch ms. */
  at: number;
}

const keyOf = (wg: string, id: string): string =>
  `albedo.board-draft.${getSession()?.user._id ?? ''}.${wg}.${id}`;

export function readDraft(wg: string, id: string): KeptDraft | null {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(wg, id)) ?? 'null') as KeptDraft | null;
    return kept && Array.isArray(kept.draft?.board?.items) ? kept : null;
  } catch {
    // A browser that keeps nothing, or something else that stands there: there is no draft.
    return null;
  }
}

export function keepDraft(wg: string, id: string, kept: KeptDraft): void {
  try {
    localStorage.setItem(keyOf(wg, id), JSON.stringify(kept));
  } catch {
    // A full disk or a private window keeps nothing; saving still works.
  }
}

export function forgetDraft(wg: string, id: string): void {
  try {
    localStorage.removeItem(keyOf(wg, id));
  } catch {
    // Nothing was kept.
  }
}
