import type { Transaction } from '@albedo/postgres/postgres';
import type { z } from 'zod';

/**
 * Work that runs beside the requests, in a process with the role `jobs`: at a time, or as soon as one is free. What was
 * sent survives every restart.
 *
 * A run can be cut off between any two statements, and is then run again. So that its effect happens once, it either
 * goes through `finish`, or can be repeated without harm, or is made under `id`, which all attempts share.
 */
export interface Job<Payload extends object = object> {
  /** In kebab-case; the name of the queue as well, so a new name loses what waits under the old one. */
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
  /** A run that takes longer has failed, s. */
  readonly limitS: number;
  readonly retry: Retry;
  /** Runs of one key follow each other, over all processes; without it any number run side by side. */
  readonly oneAtATime?: OneAtATime<Payload>;
  /** Whose jobs take turns, so that a burst of one delays nobody else's. */
  readonly turns?: Turns<Payload>;
  readonly schedule?: Schedule<Payload>;
  /** Runs at once in one process; 1 where nothing is said. */
  readonly sideBySide?: number;
  /** What the staff read of a dead one; never a secret. */
  readonly about?: (payload: Payload) => string;
  readonly run: (run: Run<Payload>) => Promise<void>;
  /** The last attempt failed. What it writes happens together with the burial. */
  readonly onDead?: (
    run: Pick<Run<Payload>, 'id' | 'payload'>,
    error: Error,
    in_: Transaction,
  ) => Promise<void>;
}

/** Waits double from one attempt to the next, with some chance in them. */
export interface Retry {
  /** Attempts after the first one. */
  readonly times: number;
  /** Before the second attempt, s. */
  readonly afterS: number;
  /** No wait is longer, s. */
  readonly atMostS: number;
}

export interface OneAtATime<Payload> {
  readonly key: (payload: Payload) => string;
  /** Of several that wait with the same key, all run one after the other, or only one does. */
  readonly waiting: 'all' | 'one';
}

/** Every one of those who have jobs waiting gets one run before anybody gets the next. */
export interface Turns<Payload> {
  /** Whose it is, such as the workgroup. */
  readonly of: (payload: Payload) => string;
  /** Runs of one of them side by side, over all processes; less than `sideBySide` leaves room for the others. */
  readonly atOnce: number;
}

export interface Schedule<Payload> {
  /** Minute, hour, day, month, weekday. */
  readonly cron: string;
  /** IANA name of the zone that the clock times are in. */
  readonly zone: string;
  readonly payload: Payload;
}

/** One attempt at a job. */
export interface Run<Payload> {
  /** The same in every attempt. */
  readonly id: string;
  /** 1 for the first. */
  readonly attempt: number;
  readonly payload: Payload;
  readonly sentAt: Date;
  /** Aborted when the process stops, the time is over, or another process has taken the job. */
  readonly signal: AbortSignal;
  /**
   * Writes to our own database and marks the job as done in one transaction: both happened, or neither. Nothing may
   * follow it. Throws `Overtaken` when this attempt no longer counts.
   */
  finish(effect: (transaction: Transaction) => Promise<void>): Promise<void>;
}

/** A job with its types checked. */
export const defineJob = <Payload extends object>(job: Job<Payload>): Job<Payload> => job;

/** Another attempt would end the same way. */
export class Hopeless extends Error {
  override readonly name = 'Hopeless';
}

/** The process stops: the job runs again elsewhere, or after the start, and the attempt does not count. */
export class Stopping extends Error {
  override readonly name = 'Stopping';

  constructor() {
    super('The process stops.');
  }
}

/** Another attempt at the same job has begun, because this one was taken for dead. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';

  constructor() {
    super('Another attempt has begun.');
  }
}
