import type { DaySums } from './energy-reports.store.ts';

/** Figures that are added up over devices, whatever days each of them has. */
const ADDED = [
  'energyKWh',
  'dcKWh',
  'expectedKWh',
  'pairedKWh',
  'pairedExpectedKWh',
  'yieldKWh',
  'yieldPeakKWh',
  'yieldPeakKWp',
  'ratedEnergyKWh',
  'energyRatedKWh',
  'ratedKW',
  'peakKWp',
  'referencePeakKWp',
  'usedPeakKWp',
  'usedDcPeakKWp',
  'referenceKWh',
  'usedReferenceKWh',
  'usedKWh',
  'usedDcKWh',
  'usedDcAcKWh',
  'usedDcReferenceKWh',
  'warmKWh',
  'warmReferenceKWh',
  'warmthKWhC',
  'usedHours',
  'missedHours',
  'availableHours',
  'unavailableHours',
  'contractAvailableHours',
  'contractUnavailableHours',
  'lostKWh',
] as const satisfies (keyof DaySums)[];

/** Several devices as one site; null where none of them is known. Whole days are those of the device that has fewest. */
export function addSums(all: readonly DaySums[]): DaySums | null {
  if (all.length === 0) return null;
  const sums = Object.fromEntries(
    ADDED.map((key) => {
      const known = all.flatMap((one) => one[key] ?? []);
      return [key, known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)];
    }),
  ) as Pick<DaySums, (typeof ADDED)[number]>;
  return {
    ...sums,
    days: Math.max(...all.map(({ days }) => days)),
    wholeDays: Math.min(...all.map(({ wholeDays }) => wholeDays)),
    curtailedHours: Math.max(0, ...all.map(({ curtailedHours }) => curtailedHours ?? 0)) || null,
    isHorizontal: all.some(({ isHorizontal }) => isHorizontal),
    isClearSky: all.some(({ isClearSky }) => isClearSky),
    computedAt: Math.max(...all.map(({ computedAt }) => computedAt ?? 0)) || null,
  };
}
