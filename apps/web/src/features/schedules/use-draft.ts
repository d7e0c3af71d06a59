import { useMemo, useState } from 'react';
import type { Step } from './steps.ts';

/** A step as it is edited: it keeps its row while its time changes. */
export interface EditedStep extends Step {
  key: number;
}

export interface StepsDraft {
  steps: readonly EditedStep[];
  end: number | null;
}

let last = 0;
export const withKey = (step: Step): EditedStep => ({ ...step, key: ++last });
const rising = (steps: readonly EditedStep[]): EditedStep[] => steps.toSorted((a, b) => a.at - b.at);

/** So many changes can be taken back. */
const REMEMBERED = 100;

interface Opened {
  steps: readonly Step[];
  end: number | null;
}

interface History {
  past: StepsDraft[];
  now: StepsDraft;
  future: StepsDraft[];
  /** What was changed last: a drag is one change. */
  last: string;
}

const begin = ({ steps, end }: Opened): History => ({
  past: [],
  now: { steps: steps.map(withKey), end },
  future: [],
  last: '',
});

/** Steps and end of a schedule while somebody edits them; each change can be taken back. */
export function useDraft(opened: Opened) {
  const [history, setHistory] = useState(() => begin(opened));
  return useMemo(() => {
    const { now } = history;
    const change = (next: Partial<StepsDraft>, what = '') =>
      setHistory((old) => ({
        past: what !== '' && what === old.last ? old.past : [...old.past, old.now].slice(-REMEMBERED),
        now: { ...old.now, ...next },
        future: [],
        last: what,
      }));
    return {
      ...now,
      change,
      /** All at once, as from a file or a pattern. */
      replace: (steps: readonly Step[]) => change({ steps: steps.map(withKey) }),
      put: (key: number, step: Step) =>
        change({ steps: now.steps.map((one) => (one.key === key ? { ...step, key } : one)) }, `step ${key}`),
      add: (step: Step) => change({ steps: rising([...now.steps, withKey(step)]) }),
      remove: (key: number) => change({ steps: now.steps.filter((one) => one.key !== key) }),
      setEnd: (end: number | null) => change({ end }, 'end'),
      /** Begins anew with what stands now. */
      restart: (next: Opened) => setHistory(begin(next)),
      /** Rows go where their times are once somebody leaves one. */
      sort: () => setHistory((old) => ({ ...old, now: { ...old.now, steps: rising(old.now.steps) } })),
      undo:
        history.past.length === 0
          ? null
          : () =>
              setHistory((old) => ({
                past: old.past.slice(0, -1),
                now: old.past.at(-1) ?? old.now,
                future: [old.now, ...old.future],
                last: '',
              })),
      redo:
        history.future.length === 0
          ? null
          : () =>
              setHistory((old) => ({
                past: [...old.past, old.now],
                now: old.future[0] ?? old.now,
                future: old.future.slice(1),
                last: '',
              })),
    };
  }, [history]);
}

export type Draft = ReturnType<typeof useDraft>;

export const sortedSteps = ({ steps }: Pick<StepsDraft, 'steps'>): EditedStep[] => rising(steps);
