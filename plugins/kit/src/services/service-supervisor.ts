import { setTimeout as sleep } from 'node:timers/promises';
import { type Log, messageOf } from '../command-line/log.ts';

export interface ServiceTask {
  name: string;
  intervalMs: number;
  /** One run. The signal aborts after one interval, and when the service stops. */
  run(signal: AbortSignal): Promise<void>;
}

/** Rows begin so far apart, unless that would make the last one late. */
const STAGGER_MS = 250;

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
    const late = AbortSignal.timeout(task.intervalMs);
    try {
      const signal = AbortSignal.any([stop, late]);
      await Promise.race([task.run(signal), rejection(signal)]);
    } catch (error) {
      if (stop.aborted) return;
      const reason = late.aborted ? `aborted after ${task.intervalMs / 1000} s` : messageOf(error);
      log.error(`${task.name}: ${reason}`);
    }
    waitMs = Math.max(0, task.intervalMs - (performance.now() - startedAt));
  }
}

/** False when the signal aborted meanwhile. */
async function waits(ms: number, stop: AbortSignal): Promise<boolean> {
  try {
    await sleep(ms, undefined, { signal: stop });
    return true;
  } catch {
    // The only way to end a pause early is the signal.
    return false;
  }
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
