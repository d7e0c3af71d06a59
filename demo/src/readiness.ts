import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 100;

/** Resolves when the address answers 200; rejects when the signal aborts first. */
export async function untilReady(url: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      const answer = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(2000)]) });
      if (answer.ok) return;
    } catch {
      // Nobody listens yet.
      signal.throwIfAborted();
    }
    await sleep(LOOK_MS, undefined, { signal });
  }
}
