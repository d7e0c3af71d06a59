import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Logger } from 'pino';

/** How often it is looked, ms. */
const LOOK_MS = 60_000;
/** What the process may hold beside heap and buffers: the program, the C library and pages for the next moments, bytes. */
const BESIDE = 200e6;
/** After a collection, which stops the process for some tenths of a second, ms. */
const PAUSE_MS = 3_600_000;
/** After one that gave little back: it is not the pages then. */
const LONG_PAUSE_MS = 4 * 3_600_000;
const LITTLE = 50e6;
/** Part of the last minute that the process worked; a busier one is not stopped. */
const BUSY = 0.3;

export interface Pages {
  usage: () => Pick<NodeJS.MemoryUsage, 'rss' | 'heapTotal' | 'external'>;
  collect: () => void;
  /** Part of the time since the last call that the process worked. */
  worked: () => number;
  now: () => number;
}

/**
 * Gives back the pages of a heap that was larger once, such as while a history flowed in. The engine of JavaScript keeps them
 * as they are for as long as there is something to do, 300 MB of them on the demo; only the collection that it makes when
 * memory runs out lets them go.
 */
export class SparePages {
  readonly #log: Logger;
  readonly #pages: Pages;
  #timer: NodeJS.Timeout | undefined;
  #notBefore = 0;

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
    const { usage, collect, worked, now } = this.#pages;
    const before = usage();
    const isBusy = worked() > BUSY;
    if (isBusy || now() < this.#notBefore || before.rss - before.heapTotal - before.external < BESIDE) return;
    const began = now();
    collect();
    const freed = before.rss - usage().rss;
    this.#notBefore = now() + (freed < LITTLE ? LONG_PAUSE_MS : PAUSE_MS);
    this.#log.info({ freed, tookMs: now() - began }, 'memory that the heap no longer needs is given back');
  }
}

export const ofThisProcess: Pages = {
  usage: () => process.memoryUsage(),
  collect: () => collectAll(),
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
