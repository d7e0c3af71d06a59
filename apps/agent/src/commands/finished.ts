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
  /** Where all of an output stands, that is too long to be told as a whole. */
  stdoutFile?: string | null;
  stderrFile?: string | null;
}
