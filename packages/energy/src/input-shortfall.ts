import { median } from './statistics.ts';

/** Days of the inputs of several like inverters: `sums[inverter][input]`, energy or charge of the same time. Gaps: null. */
export type InputSums = readonly (readonly (number | null)[])[];

export interface InputShortfall {
  /** Place of the input. */
  input: number;
  /** Part that is missing of what its peers give, 0 to 1. */
  part: number;
}

/** Below this part of the other inputs of its inverter one input is the reason; strings are a half to a tenth of an input. */
const LOW = 0.88;
/** Peers that say what an input can give. */
const PEERS = 2;

/**
 * The one input that is the reason why an inverter gives less: each input is held against the same one of the other
 * inverters, and then against the inverter's own other inputs, so that dirt on all of them is blamed on none. Null where it
 * is not one alone, and where too little is known.
 */
export function inputShortfall(sums: InputSums, inverter: number): InputShortfall | null {
  const own = sums[inverter] ?? [];
  const shares = own.map((value, input) => {
    const peers = sums.flatMap((one, i) => (i === inverter ? [] : (one[input] ?? [])));
    const usual = peers.length < PEERS ? null : median(peers);
    return value === null || usual === null || usual <= 0 ? null : value / usual;
  });
  const known = shares.flatMap((share, input) => (share === null ? [] : [{ share, input }]));
  if (known.length < 2) return null;
  const [lowest, ...others] = known.toSorted((a, b) => a.share - b.share);
  const usual = median(others.map(({ share }) => share));
  const next = others[0]?.share ?? 0;
  if (!lowest || usual === null || usual <= 0 || lowest.share >= usual * LOW || next < usual * LOW)
    return null;
  return { input: lowest.input, part: 1 - lowest.share / usual };
}
