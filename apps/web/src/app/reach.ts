import { API_PREFIX } from '@albedo/contract/http/endpoint';

/** How long the server has to say anything at all, ms. */
const ANSWER_MS = 4000;

interface Reach {
  /** Whether there is a connection that could have ended without a word. */
  isOpen: () => boolean;
  /** The server says nothing any more. */
  gone: () => void;
  /** The browser has a network again. */
  back: () => void;
}

const watchers = new Set<Reach>();
let isLooking = false;

/** Tells when the server cannot be reached any more, as far as that shows before a connection breaks. */
export function onReach(watcher: Reach): void {
  watchers.add(watcher);
}

/**
 * Asks the server for a word, since something failed. A browser without a network may still reach a server on the same
 * machine, and one with a network may not.
 */
export async function doubtReach(): Promise<void> {
  if (isLooking || ![...watchers].some(({ isOpen }) => isOpen())) return;
  isLooking = true;
  const isThere = await answers();
  isLooking = false;
  if (!isThere) for (const { gone } of watchers) gone();
}

async function answers(): Promise<boolean> {
  try {
    await fetch(`${API_PREFIX}/version`, { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) });
    return true;
  } catch {
    return false;
  }
}

// Tests and workers have no window to tell of it.
if (typeof window !== 'undefined') {
  window.addEventListener('offline', () => void doubtReach());
  window.addEventListener('online', () => {
    for (const { back } of watchers) back();
  });
}
