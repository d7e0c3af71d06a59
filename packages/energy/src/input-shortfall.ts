import { median } from './statistics.ts';

export interface InputShortfall {
  /** Index of the input. */
  input: number;
  /** Missing part, 0 to 1. */
  part: number;
}

/** Below this share of the others an input is the reason: a string is a tenth to a half of an input, clouds change less. */
const LOW = 0.88;

/**
 * The one input because of which an inverter gives less than before. Each input is compared with itself before, and then with
 * the other inputs, so that weather and dirt, which affect all of them, are blamed on none. `before` and `now` are energy or
 * charge of the inputs over some days each. Null if it is not a single input, or too little is known.
 */
export function inputShortfall(
  before: readonly (number | null)[],
  now: readonly (number | null)[],
): InputShortfall | null {
  const shares = now.flatMap((value, input) => {
    const was = before[input] ?? null;
    return value === null || was === null || was <= 0 ? [] : [{ input, share: value / was }];
  });
  const [lowest, ...others] = shares.toSorted((a, b) => a.share - b.share);
  const usual = median(others.map(({ share }) => share));
  if (!lowest || usual === null || usual <= 0) return null;
  const isAlone = (others[0]?.share ?? 0) >= usual * LOW;
  return isAlone && lowest.share < usual * LOW
    ? { input: lowest.input, part: 1 - lowest.share / usual }
    : null;
}
