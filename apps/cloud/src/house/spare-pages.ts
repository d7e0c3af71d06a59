import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { giveBackFreed } from '@albedo/memory/memory';
import type { Logger } from 'pino';

/** How often it is looked, ms. */
const LOOK_MS = 60_000;
/** What a process holds beside heap and buffers when it begins: the program and the C library, bytes. */
const PROGRAM = 120e6;
/** What it may hold above what the last collection left, for the next moments, bytes. */
const SPARE = 80e6;
/** After a collection, which stops the process for some tenths of a second, ms. */
const PAUSE_MS = 15 * 60_000;
/** Part of the last minute that the process worked; a busier one is not stopped. */
const BUSY = 0.3;

export interface Pages {
  usage: () => Pick<NodeJS.MemoryUsage, 'rss' | 'heapTotal' | 'external'>;
  /** Gives back what the C library keeps. */
  trim: () => void;
  /** Gives back what the engine of JavaScript keeps; stops the process meanwhile. */
  collect: () => void;
  /** Part of the time since the last call that the process worked. */
  worked: () => number;
  now: () => number;
}

/**
 * Gives back the pages of a heap that was larger once, such as while a history flowed in: those of the C library each minute,
 * those of JavaScript where they are many. Its engine keeps them as they are for as long as there is something to do, 300 MB
 * of them on the demo; only the collection that it makes when memory runs out lets them go.
 */
export class SparePages {
  readonly #log: Logger;
  readonly #pages: Pages;
  #timer: NodeJS.Timeout | undefined;
  #notBefore = 0;
  #needed = PROGRAM;

  constructor(log: Logger, pages: Pages = ofThisProcess) {
    this.#log = log;
    this.#pages = pages;
  }

  start(): void {
    this.#timer = setInterval(() => this.look(), LOOK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  look(): void {
    const { trim, collect, worked, now } = this.#pages;
    if (worked() > BUSY) return;
    trim();
    const before = this.#beside();
    if (now() < this.#notBefore || before < this.#needed + SPARE) return;
    const began = now();
    collect();
    this.#needed = this.#beside();
    this.#notBefore = now() + PAUSE_MS;
    this.#log.info(
      { freed: before - this.#needed, tookMs: now() - began },
      'memory that the heap no longer needs is given back',
    );
  }

  /** What the process holds beside heap and buffers, bytes. */
  #beside(): number {
    const { rss, heapTotal, external } = this.#pages.usage();
    return rss - heapTotal - external;
  }
}

export const ofThisProcess: Pages = {
  usage: () => process.memoryUsage(),
  trim: giveBackFreed,
  collect: collectAll,
  worked,
  now: () => performance.now(),
};

let workedUntil = performance.eventLoopUtilization();

function worked(): number {
  const since = workedUntil;
  workedUntil = performance.eventLoopUtilization();
  return performance.eventLoopUtilization(workedUntil, since).utilization;
}

let gc: ((options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void) | null = null;

function collectAll(): void {
  if (!gc) {
    setFlagsFromString('--expose-gc');
    gc = runInNewContext('gc') as NonNullable<typeof gc>;
  }
  gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
