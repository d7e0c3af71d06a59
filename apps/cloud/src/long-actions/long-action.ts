import type { Readable } from 'node:stream';
import type { Transaction } from '@albedo/postgres/postgres';
import type { z } from 'zod';
import type { Actor } from '../access/actor.ts';

/** A kind of long action. A run may be cut off anywhere and is repeated then, as a `Job` is. */
export interface LongActionKind<Input extends object = object> {
  /** In kebab-case; the web names it by the text `longActions.kinds.<kind>`. */
  readonly kind: string;
  readonly input: z.ZodType<Input>;
  /** It can be cancelled while it runs; before that always. */
  readonly canCancel: boolean;
  readonly run: (run: LongActionRun<Input>) => Promise<LongActionOutcome>;
}

export interface LongActionRun<Input> {
  readonly id: string;
  readonly input: Input;
  /** Who began it, and from where. */
  readonly by: Actor;
  /** Aborted when somebody cancels it or the process stops. */
  readonly signal: AbortSignal;
  /** 0 to 1. */
  progress(fraction: number): void;
}

export interface LongActionOutcome {
  /** For people or programs; plain data. */
  result?: unknown;
  /** Read to its end; what fails while it is read fails the run. */
  file?: { name: string; type: string; bytes: Readable };
  /** Written together with the word that it is done: both happen once, or neither. */
  effect?: (transaction: Transaction) => Promise<void>;
  /** After that, in this process; a kill can prevent it. */
  afterwards?: () => void;
}
