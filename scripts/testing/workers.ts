import { availableParallelism, totalmem } from 'node:os';

/** What a worker may need: a cloud with its engines, and often agents beside it. */
const WORKER_BYTES = 3 * 1024 ** 3;

/**
 * How many test files run side by side: half as many again as there are cores, since files wait for processes, disks and
 * broken connections; fewer where memory is short.
 */
export const workersHere = (cores = availableParallelism(), memory = totalmem()): number =>
  Math.max(1, Math.min(Math.ceil(1.5 * cores), Math.floor(memory / WORKER_BYTES)));
