import { OutsideError } from '../outbound/outside-fetch.ts';

export interface Deadline {
  /** No further file is started. */
  isOver: () => boolean;
}

/** After the first no further file is started, after the second the connection is cut, after the third nobody waits for the run. */
const RUN_MS = 45_000;
const CUT_MS = 75_000;
const LIMIT_MS = 110_000;

/**
 * Opens a connection and lets the task read. The connection always ends, even if the server sends only drop by drop, or lets us
 * in and then says nothing. Throws `OutsideError`.
 */
export async function inTime<R extends { close(): void }, T>(
  { host, open, cutMs = CUT_MS }: { host: string; open: (cut: AbortSignal) => Promise<R>; cutMs?: number },
  task: (reader: R, deadline: Deadline) => Promise<T>,
): Promise<T> {
  const until = performance.now() + RUN_MS;
  const cut = AbortSignal.timeout(cutMs);
  const opening = open(cut);
  let reader: R | null = null;
  try {
    reader = await unlessCut(opening, cut, host);
    cut.addEventListener('abort', () => reader?.close(), { once: true });
    return await task(reader, { isOver: () => performance.now() > until });
  } catch (error) {
    if (reader === null)
      opening.then(
        (late) => late.close(),
        () => undefined,
      );
    throw cut.aborted && error instanceof OutsideError ? lateError(host) : error;
  } finally {
    reader?.close();
  }
}

/** Ends the wait for a run, wherever it hangs. Throws `OutsideError`. */
export async function limited<T>(task: Promise<T>, host: string, ms = LIMIT_MS): Promise<T> {
  return unlessCut(task, AbortSignal.timeout(ms), host);
}

const lateError = (host: string): OutsideError => new OutsideError(`${host} did not answer in time.`);

function unlessCut<T>(task: Promise<T>, cut: AbortSignal, host: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const onCut = () => reject(lateError(host));
    cut.addEventListener('abort', onCut, { once: true });
    task.then(resolve, reject).finally(() => cut.removeEventListener('abort', onCut));
  });
}
