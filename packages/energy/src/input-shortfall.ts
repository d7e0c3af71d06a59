import { median } from './statistics.ts';

export interface InputShortfall {
  /** Place of the input. */
  input: number;
  /** Part that is missing, 0 to 1. */
  part: number;
}

/** Below this part of the others one input is the reason; strings are a half to a tenth of an input, clouds make less. */
const LOW = 0.88;

/**
 * The one input that is the reason why an inverter gives less than before: what each gives now is held against what it gave
 * before, and then against the other inputs, so that weather and dirt, which all of them share, are blamed on none. `before`
 * and `now` are energy or charge of the inputs over some days each. Null where it is not one alone, or too little is known.
 */
export function inputShortfall(
  before: readonly (number | null)[],
  now: readonly (number | null)[],
): InputShortfall | null {
  const known = now.flatMap((value, input) => {
    const was = before[input] ?? null;
    return value === null || was === null || was <= 0 ? [] : [{ input, share: value / was }];
  });
  const [lowest, ...others] = known.toSorted((a, b) => a.share - b.share);
  const usual = median(others.map(({ share }) => share));
  if (!lowest || usual === null || usual <= 0) return null;
  const isAlone = (others[0]?.share ?? 0) >= usual * LOW;
  return isAlone && lowest.share < usual * LOW
    ? { input: lowest.input, part: 1 - lowest.share / usual }
    : null;
}
