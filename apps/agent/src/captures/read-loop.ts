import { setImmediate as turn } from 'node:timers/promises';
import type { Follower } from './follower.ts';

/** How long changes are collected before files are read, ms. */
const COLLECT_MS = 150;
const BLOCKED_MS = 500;
const POLL_MIN_MS = 2000;
/** Looking at one file may take so much of the slow look's interval, ms. */
const POLL_PER_FILE_MS = 5;

/**
 * Reads followed files that have changed, a slice of each in turn, live ones before those that catch up. Changes
 * come from the system's watches; a slow look at every file finds what they missed.
 */
export class ReadLoop {
  readonly #followers = new Set<Follower>();
  readonly #dirty = new Set<Follower>();
  readonly #renamed = new Set<Follower>();
  #timer: NodeJS.Timeout | null = null;
  #poll: NodeJS.Timeout | null = null;
  #running = false;
  #stopped = true;

  start(): void {
    this.#stopped = false;
    this.#schedulePoll();
    this.#schedule(0);
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#poll) clearTimeout(this.#poll);
    this.#timer = null;
    this.#poll = null;
    for (const follower of this.#followers) follower.stop();
    this.#followers.clear();
    this.#dirty.clear();
    this.#renamed.clear();
  }

  add(follower: Follower): void {
    follower.start();
    this.#followers.add(follower);
    this.mark(follower);
  }

  remove(follower: Follower): void {
    follower.stop();
    this.#followers.delete(follower);
    this.#dirty.delete(follower);
    this.#renamed.delete(follower);
  }

  /** The file grew, or (`isNameChange`) another one may be in its place. */
  mark(follower: Follower, isNameChange = true): void {
    this.#dirty.add(follower);
    if (isNameChange) this.#renamed.add(follower);
    this.#schedule(COLLECT_MS);
  }

  get unreadBytes(): number {
    let sum = 0;
    for (const follower of this.#followers) sum += follower.unread;
    return sum;
  }

  #schedule(ms: number): void {
    if (!this.#stopped && !this.#running) this.#timer ??= setTimeout(() => void this.#run(), ms);
  }

  #schedulePoll(): void {
    const ms = Math.max(POLL_MIN_MS, this.#followers.size * POLL_PER_FILE_MS);
    this.#poll = setTimeout(() => {
      for (const follower of this.#followers) if (follower.check()) this.mark(follower, false);
      this.#schedulePoll();
    }, ms);
  }

  async #run(): Promise<void> {
    this.#timer = null;
    this.#running = true;
    let again: number | null = null;
    while (this.#dirty.size > 0 && !this.#stopped) {
      again = this.#pass();
      if (again !== null) break;
      await turn();
    }
    this.#running = false;
    if (again !== null || this.#dirty.size > 0) this.#schedule(again ?? COLLECT_MS);
  }

  /** One slice of each changed file; ms to wait when no file could be read further, else null. */
  #pass(): number | null {
    let progress = false;
    let backfilled = false;
    const changed = [...this.#dirty].sort((a, b) => Number(a.isBackfill) - Number(b.isBackfill));
    for (const follower of changed) {
      if (this.#stopped) return null;
      if (follower.isBackfill && backfilled) continue;
      if (this.#renamed.delete(follower)) follower.check();
      const result = follower.read();
      if (result === 'idle') this.#dirty.delete(follower);
      if (result === 'more' || result === 'idle') progress = true;
      if (result === 'more') backfilled ||= follower.isBackfill;
    }
    return progress ? null : BLOCKED_MS;
  }
}
