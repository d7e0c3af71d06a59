/** When devices were limited, by device; epoch ms, `to` is not part of it. */
export type CurtailedTimes = ReadonlyMap<string, readonly { from: number; to: number }[]>;

/** Asks for the times of devices with their AC ratings, W; null where that is not known. */
export type AskCurtailed = (
  workgroup: string,
  asked: { from: number; to: number; devices: ReadonlyMap<string, number | null> },
) => Promise<CurtailedTimes>;

/** What leaves the ratios of a day. */
export interface LeftOut {
  slots: number;
  /** Parts of what the day gave and of what it should have given. */
  energy: number;
  expected: number;
}

/**
 * The parts of a day in which its source was limited; null for none. Where nobody knows what it gave then, the whole day
 * leaves: energy and estimate go together.
 */
export function leftOutOf(
  curtailed: Uint8Array,
  powerKW: Float64Array | null,
  expectedKW: Float64Array | null,
): LeftOut | null {
  const slots = curtailed.reduce((sum, one) => sum + one, 0);
  if (slots === 0) return null;
  const isUnknown =
    powerKW === null ||
    curtailed.some((one, i) => one && Number.isNaN(powerKW[i] ?? Number.NaN) && (expectedKW?.[i] ?? 1) > 0);
  if (isUnknown) return { slots: curtailed.length, energy: 1, expected: 1 };
  return {
    slots,
    energy: partOf(powerKW, curtailed),
    expected: expectedKW ? partOf(expectedKW, curtailed) : 0,
  };
}

function partOf(values: Float64Array, mask: Uint8Array): number {
  let [all, own] = [0, 0];
  for (const [i, value] of values.entries()) {
    if (!(value > 0)) continue;
    all += value;
    if (mask[i]) own += value;
  }
  return all > 0 ? own / all : 0;
}
