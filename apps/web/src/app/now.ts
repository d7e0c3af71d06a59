import { useSyncExternalStore } from 'react';

interface Ticker {
  now: number;
  watchers: Set<() => void>;
  timer: ReturnType<typeof setInterval> | null;
}

/** One clock for each period, however many components look at it. */
const tickers = new Map<number, Ticker>();

/** The present instant, epoch ms, the same one for all who ask with that period; drawn again every `everyMs`. */
export function useNow(everyMs: number): number {
  return useSyncExternalStore(subscriberOf(everyMs), () => tickerOf(everyMs).now);
}

const subscribers = new Map<number, (watcher: () => void) => () => void>();

function subscriberOf(everyMs: number): (watcher: () => void) => () => void {
  const known = subscribers.get(everyMs);
  if (known) return known;
  const subscribe = (watcher: () => void) => {
    const ticker = tickerOf(everyMs);
    ticker.watchers.add(watcher);
    ticker.timer ??= setInterval(() => tick(ticker), everyMs);
    return () => {
      ticker.watchers.delete(watcher);
      if (ticker.watchers.size > 0 || ticker.timer === null) return;
      clearInterval(ticker.timer);
      tickers.delete(everyMs);
    };
  };
  subscribers.set(everyMs, subscribe);
  return subscribe;
}

function tickerOf(everyMs: number): Ticker {
  const ticker = tickers.get(everyMs) ?? { now: Date.now(), watchers: new Set(), timer: null };
  tickers.set(everyMs, ticker);
  return ticker;
}

function tick(ticker: Ticker): void {
  ticker.now = Date.now();
  for (const watcher of ticker.watchers) watcher();
}
