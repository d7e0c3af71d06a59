import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How busy the processors of this machine may be, with anything, while the history is written: devices show a warning from 60 %
 * on, and people who look at the demo need some capacity too.
 */
const BUSY_LIMIT = 0.4;
/** The first, the shortest and the longest rest after a line, ms. Even on a busy machine the history goes on. */
const [FIRST_REST_MS, LEAST_REST_MS, MOST_REST_MS] = [0.2, 0.01, 2];
/** The load is measured over at least this time, ms. */
const LOOK_MS = 500;
/** By which factor the rest changes at most with each measurement. */
const [SHORTER, LONGER] = [0.75, 1.6];

interface Times {
  busy: number;
  total: number;
}

/**
 * Pauses between the lines of the history, long enough to keep the load of this machine low: whatever is written makes work for
 * agents, cloud and store.
 */
export class Pace {
  readonly #times: () => Times;
  readonly #sleep: (ms: number) => Promise<unknown>;
  #restMs = FIRST_REST_MS;
  #last: Times;
  #sinceMs = 0;

  constructor({ times = timesOfAll, rest = sleep as (ms: number) => Promise<unknown> } = {}) {
    this.#times = times;
    this.#sleep = rest;
    this.#last = times();
  }

  /** Rests after this many lines, which took `tookMs` to write. */
  async rest(lines: number, tookMs: number): Promise<void> {
    const ms = lines * this.#restMs;
    await this.#sleep(ms);
    this.#sinceMs += ms + tookMs;
    if (this.#sinceMs < LOOK_MS) return;
    this.#sinceMs = 0;
    const now = this.#times();
    const total = now.total - this.#last.total;
    const share = total > 0 ? (now.busy - this.#last.busy) / total : 0;
    this.#last = now;
    const change = Math.min(LONGER, Math.max(SHORTER, share / BUSY_LIMIT));
    this.#restMs = Math.min(MOST_REST_MS, Math.max(LEAST_REST_MS, this.#restMs * change));
  }
}

/** Of all processors since the machine's start, ms. */
function timesOfAll(): Times {
  const times = { busy: 0, total: 0 };
  for (const { times: one } of cpus()) {
    const total = one.user + one.nice + one.sys + one.idle + one.irq;
    times.total += total;
    times.busy += total - one.idle;
  }
  return times;
}
