import { startTransition, useEffect, useState } from 'react';

/**
 * False when something is drawn the first time, and true right after. What waits for it is drawn in pieces between which the
 * browser paints and answers, in place of one long task.
 */
export function useDrawnInPieces(): boolean {
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => startTransition(() => setDrawn(true)), []);
  return isDrawn;
}

/** Browsers without idle callbacks wait this long, ms. */
const SOON_MS = 200;
/** A page that is never idle waits no longer than this, ms. */
const LATEST_MS = 1000;

/** Calls back once the browser has nothing more urgent to do. The result takes it back. */
export function whenIdle(task: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(task, SOON_MS);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(task, { timeout: LATEST_MS });
  return () => cancelIdleCallback(handle);
}

/** Does each in a task of its own, so that the browser paints and answers between them. */
export function oneByOne([first, ...rest]: readonly (() => void)[]): void {
  if (!first) return;
  setTimeout(() => {
    first();
    oneByOne(rest);
  });
}

/** How many of so many things may be there: none before the browser had time for them, then one more with each task. */
export function useOneByOne(total: number): number {
  const isIdle = useIdle();
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (!isIdle || count >= total) return;
    const timer = setTimeout(() => setCount(count + 1));
    return () => clearTimeout(timer);
  }, [isIdle, count, total]);
  return count;
}

/** True once the browser had time for more than what is in sight. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  return isIdle;
}
