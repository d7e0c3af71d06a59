import { FRONTEND_VERSION } from '@albedo/contract/product';
import { createStore, del, entries, get, set, type UseStore } from 'idb-keyval';
import { useSyncExternalStore } from 'react';
import { ApiError } from './call.ts';
import { getSession, onPersonGone } from './session.ts';

/** How often a state that changes is written, ms. */
const WRITE_EVERY_MS = 30_000;
/** Older than this a state tells nothing any more, ms. */
const LIFE_MS = 7 * 86_400_000;
/** What another release kept is there so long after this one started, ms: without a network that one may open again. */
const SWEEP_AFTER_MS = 60_000;

interface Kept {
  value: unknown;
  /** Epoch ms. */
  at: number;
  version: string;
}

let opened: UseStore | undefined;
/** Opened once, by the first who needs it. */
const store = () => {
  opened ??= createStore('albedo-last-state', 'kept');
  return opened;
};
const written = new Map<string, number>();
let isSwept = false;
let shownAt: number | null = null;
/** When the server answered last, performance time. */
let answeredAt = Number.NEGATIVE_INFINITY;
const watchers = new Set<() => void>();

/**
 * The reply of `ask`, which is kept in this browser for the person; where the server cannot be reached, what it said
 * last. `useLastStateAt` tells how old that is. Nothing secret belongs in it.
 *
 * Errors: as `ask`, where nothing is kept, and where the server answers others and not this in time.
 */
export async function withLastState<T>(name: string, ask: () => Promise<T>): Promise<T> {
  const person = getSession()?.user._id;
  if (!person) return ask();
  const key = keyOf(person, name);
  for (let isFirst = true; ; isFirst = false) {
    const begunAt = performance.now();
    try {
      const value = await ask();
      answeredAt = performance.now();
      void keep(key, value);
      show(null);
      return value;
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      if (answeredAt > begunAt) {
        // The network came back while this one gave up: it is asked once more, or its old state would stand for good.
        if (isFirst) continue;
        throw error;
      }
      const kept = await read(key);
      if (!kept) throw error;
      show(Math.min(shownAt ?? kept.at, kept.at));
      return kept.value as T;
    }
  }
}

/** Each release has its own: another one may read it otherwise. */
const keyOf = (person: string, name: string): string => `${person} ${FRONTEND_VERSION} ${name}`;

/** When what is on screen was true, epoch ms, while the server cannot be reached; else null. */
export const useLastStateAt = (): number | null => useSyncExternalStore(watch, () => shownAt);

/** Writes what changed since it was asked for, at most twice a minute. */
export function keepLastState(name: string, value: unknown): void {
  const person = getSession()?.user._id;
  if (!person || shownAt !== null) return;
  const key = keyOf(person, name);
  if (Date.now() - (written.get(key) ?? 0) >= WRITE_EVERY_MS) void keep(key, value);
}

// Nothing of one person stays for the next.
onPersonGone(() => {
  written.clear();
  show(null);
  void forgetAll();
});

/** What nobody would be shown any more takes no room. */
async function sweep(): Promise<void> {
  isSwept = true;
  const of = store();
  for (const [key, kept] of await entries<string, Kept>(of)) if (!isGood(kept)) await del(key, of);
}

const isGood = ({ version, at }: Kept): boolean => version === FRONTEND_VERSION && Date.now() - at < LIFE_MS;

async function forgetAll(): Promise<void> {
  try {
    const of = store();
    for (const [key] of await entries(of)) await del(key, of);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

async function keep(key: string, value: unknown): Promise<void> {
  const at = Date.now();
  written.set(key, at);
  try {
    await set(key, { value, at, version: FRONTEND_VERSION } satisfies Kept, store());
    if (!isSwept && performance.now() > SWEEP_AFTER_MS) await sweep();
    // They signed out while it was written.
    if (getSession()?.user._id !== key.split(' ')[0]) await forgetAll();
  } catch {
    // Private windows and full disks keep nothing: the app goes on with the network alone.
  }
}

async function read(key: string): Promise<Kept | null> {
  try {
    const kept = await get<Kept>(key, store());
    return kept && isGood(kept) ? kept : null;
  } catch {
    return null;
  }
}

const isUnreachable = (error: unknown): boolean =>
  error instanceof ApiError && error.code === -1 && !error.isOfServer;

function show(at: number | null): void {
  if (shownAt === at) return;
  shownAt = at;
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
