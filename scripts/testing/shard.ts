import type { Selection } from './selection.ts';

/** The part of a run that one of several machines does. */
export interface Shard {
  /** From 1. */
  number: number;
  of: number;
}

/** Throws for what is no such part. */
export function readShard(text: string): Shard {
  const [, number, of] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (!number || !of || number > of) throw new Error(`--shard takes a part such as 1/3, not ${text}.`);
  return { number, of };
}

/** What falls to one machine. Where all is to run, the runners divide it. */
export const ofShard = ({ units, journeys }: Selection, shard: Shard): Selection => ({
  units: units && partOf(units, shard),
  journeys: journeys && partOf(journeys, shard),
});

const partOf = (names: readonly string[], { number, of }: Shard): string[] =>
  names.filter((_, at) => at % of === number - 1);
