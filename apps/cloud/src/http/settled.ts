/**
 * Runs a task that somebody waits for. It ends, well or not, once everything that must outlive the answer is on the
 * disk: what the task wrote into the audit log.
 */
export type Settled = <T>(task: () => T | Promise<T>) => Promise<T>;

/** For a server that writes nothing down. */
export const atOnce: Settled = async (task) => task();
