import { topic } from '../bus/topic.ts';

/** A device applied a configuration that somebody gave it; `hash` is its SHA-256, `at` epoch ms. */
export const configApplied = topic<{ device: string; hash: string; by: string; at: number }>(
  'twins:applied',
  { reach: 'process' },
);
