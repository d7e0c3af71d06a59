import { startTransition, useEffect, useState } from 'react';
import { queryClient } from './query-client.ts';

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

/** A screen that asks the server for nothing in two looks this far apart has what it needs, ms. */
const QUIET_MS = 200;
/** A screen that never stops asking is waited for no longer than this, ms. */
const SHOWN_LATEST_MS = 5000;

/**
 * Calls back once the screen has what it asked the server for, and the browser is idle: what nobody sees would take the line and
 * the processor from it. The result takes it back.
 */
export function whenShown(task: () => void): () => void {
  const latest = performance.now() + SHOWN_LATEST_MS;
  let wasQuiet = false;
  let cancel = () => clearTimeout(timer);
  let timer = setTimeout(look, QUIET_MS);
  function look(): void {
    const isQuiet = queryClient.isFetching() === 0;
    if ((wasQuiet && isQuiet) || performance.now() >= latest) cancel = whenIdle(task);
    else timer = setTimeout(look, QUIET_MS);
    wasQuiet = isQuiet;
  }
  return () => cancel();
}

/** Does each in a task of its own, so that the browser paints and answers between them. */
export function oneByOne([first, ...rest]: readonly (() => void)[]): void {
  if (!first) return;
  setTimeout(() => {
    first();
    oneByOne(rest);
  });
}

/** How many of so many things may be there: none before the screen is shown, then one more with each task. */
export function useOneByOne(total: number): number {
  const [isShown, setShown] = useState(false);
  useEffect(() => whenShown(() => setShown(true)), []);
  const [count, setCount] = useState(0);
  useEffect(() => {
    if (!isShown || count >= total) return;
    const timer = setTimeout(() => setCount(count + 1));
    return () => clearTimeout(timer);
  }, [isShown, count, total]);
  return count;
}

/** True once the browser had time for more than what is in sight. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  return isIdle;
}
