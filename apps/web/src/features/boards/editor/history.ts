import { applyPatches, type Draft, enablePatches, type Patch, produceWithPatches } from 'immer';

enablePatches();

/** Typing within this time is one step, ms. */
const ONE_STEP_MS = 1200;

interface Step {
  forth: readonly Patch[];
  back: readonly Patch[];
  /** Steps of one kind that follow each other closely are one. */
  kind: string | null;
  at: number;
}

/** Something that is edited, with every step that led to it. */
export interface History<T> {
  present: T;
  done: readonly Step[];
  undone: readonly Step[];
}

export const startOf = <T>(present: T): History<T> => ({ present, done: [], undone: [] });

/** The next step; the same history where nothing changes. `now`: epoch ms. */
export function stepOf<T extends object>(
  { present, done, undone }: History<T>,
  recipe: (draft: Draft<T>) => void,
  { kind = null, now = Date.now() }: { kind?: string | null; now?: number } = {},
): History<T> {
  const [next, forth, back] = produceWithPatches(present, recipe as never) as [T, Patch[], Patch[]];
  if (forth.length === 0) return { present, done, undone };
  const last = done.at(-1);
  if (kind !== null && last?.kind === kind && now - last.at < ONE_STEP_MS) {
    const one = { forth: [...last.forth, ...forth], back: [...back, ...last.back], kind, at: now };
    return { present: next, done: [...done.slice(0, -1), one], undone: [] };
  }
  return { present: next, done: [...done, { forth, back, kind, at: now }], undone: [] };
}

export function undo<T extends object>(history: History<T>): History<T> {
  const step = history.done.at(-1);
  if (!step) return history;
  return {
    present: applyPatches(history.present, step.back),
    done: history.done.slice(0, -1),
    undone: [...history.undone, { ...step, kind: null }],
  };
}

export function redo<T extends object>(history: History<T>): History<T> {
  const step = history.undone.at(-1);
  if (!step) return history;
  return {
    present: applyPatches(history.present, step.forth),
    done: [...history.done, step],
    undone: history.undone.slice(0, -1),
  };
}
