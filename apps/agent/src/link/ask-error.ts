import type { AskFailure } from '@albedo/contract/link/link.asks';

/** Why something that was asked is not done, for the person who asked. */
export class AskError extends Error {
  readonly error: AskFailure;
  /** What the device was at, where the cloud says that in a sentence of its own. */
  readonly step: string | undefined;

  constructor(error: AskFailure, message: string, step?: string) {
    super(message);
    this.error = error;
    this.step = step;
  }
}
