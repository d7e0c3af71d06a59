import { type Log, messageOf } from '../command-line/log.ts';

export interface ServiceTask {
  name: string;
  intervalMs: number;
  /** One run. The signal aborts after one interval, and when the service stops. */
  run(signal: AbortSignal): Promise<void>;
}

/** Rows begin so far apart, unless that would make the last one late. */
const STAGGER_MS = 250;
/** The longest that a timer can wait; a longer one fires at once, ms. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Runs every task at its interval until the signal aborts; then waits until the runs under way have ended.
 *
 * The first run comes after one interval; the next wait is the interval minus the time the run took. A run that
 * outlives its interval is aborted and reported, and the task goes on; tasks never wait for each other.
 */
export async function superviseTasks(tasks: ServiceTask[], log: Log, stop: AbortSignal): Promise<void> {
  await Promise.all(
    tasks.map((task, index) => {
      const stagger = Math.min(STAGGER_MS, task.intervalMs / tasks.length) * index;
      return superviseTask(task, task.intervalMs + stagger, log, stop);
    }),
  );
}

async function superviseTask(
  task: ServiceTask,
  firstWaitMs: number,
  log: Log,
  stop: AbortSignal,
): Promise<void> {
  for (let waitMs = firstWaitMs; await waits(waitMs, stop); ) {
    const startedAt = performance.now();
    await runOnce(task, log, stop);
    waitMs = Math.max(0, task.intervalMs - (performance.now() - startedAt));
  }
}

async function runOnce(task: ServiceTask, log: Log, stop: AbortSignal): Promise<void> {
  const late = new AbortController();
  const limit = setTimeout(() => late.abort(new Error('late')), Math.min(task.intervalMs, MAX_TIMER_MS));
  const signal = AbortSignal.any([stop, late.signal]);
  try {
    await Promise.race([task.run(signal), rejection(signal)]);
  } catch (error) {
    if (stop.aborted) return;
    log.error(
      `${task.name}: ${late.signal.aborted ? `aborted after ${task.intervalMs / 1000} s` : messageOf(error)}`,
    );
  } finally {
    clearTimeout(limit);
  }
}

/** False when the signal aborted meanwhile. */
function waits(ms: number, stop: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stop.removeEventListener('abort', end);
      resolve(!stop.aborted);
    };
    const endsAt = performance.now() + ms;
    const wait = () => {
      const left = endsAt - performance.now();
      if (left <= 0) end();
      else timer = setTimeout(wait, Math.min(left, MAX_TIMER_MS));
    };
    let timer = setTimeout(wait, Math.min(ms, MAX_TIMER_MS));
    stop.addEventListener('abort', end);
    if (stop.aborted) end();
  });
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
