/** How a program ended. */
export interface Finished {
  stdout: string;
  stderr: string;
  /** Null when a signal ended it, or it never started. */
  returnCode: number | null;
  /** Ended by the timeout. */
  killed: boolean;
  /** Why it could not be started. */
  error: string | null;
  pid: number | null;
}
