import { formatDay } from '../ui/time-range/zoned-time.ts';
import { formatDecimal, formatFixed, formatWhole } from '../ui/units/numbers.ts';

/**
 * The first of each kind takes a phone 20 to 50 ms, while the browser looks up how the language writes it: made ahead, in
 * tasks of their own, they hold up no screen that is being drawn.
 */
export const firstFormats: readonly (() => void)[] = [
  () => void formatWhole(0),
  () => void formatDay(0, 'UTC'),
  () => void formatDecimal(0.5, 2),
  () => void formatFixed(0.5, 2),
];
