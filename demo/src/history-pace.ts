import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How much of this machine's processors may be at work while the past is written, by whomever: a device is a warning from 60 %
 * on, and people who look at the demo need some of it.
 */
const BUSY_LIMIT = 0.4;
/** Rest after each line, ms. A machine that is busy with other things gets some of the past all the same. */
const [FIRST_REST_MS, LEAST_REST_MS, MOST_REST_MS] = [0.2, 0.01, 2];
/** A look at the processors over less time says little, ms. */
const LOOK_MS = 500;
/** How fast the rest follows the load: by so much at most, each look. */
const [SHORTER, LONGER] = [0.75, 1.6];

interface Times {
  busy: number;
  total: number;
}

/**
 * Rests between the pieces of the history, as long as it takes for the processors of this machine to have little to do: what is
 * written comes back as work of agents, cloud and store.
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

  /** After so many lines, which took `tookMs` to make. */
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
