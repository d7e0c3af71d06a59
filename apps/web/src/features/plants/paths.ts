import type { PlantCurve } from '@albedo/contract/plants/plants.schema';

type Place = readonly [x: number, y: number];

/** A line through places; nulls are gaps. */
export function linePath(places: readonly (Place | null)[]): string {
  let isOpen = false;
  return places
    .map((place) => {
      if (!place) {
        isOpen = false;
        return '';
      }
      const letter = isOpen ? 'L' : 'M';
      isOpen = true;
      return `${letter}${round(place[0])} ${round(place[1])}`;
    })
    .join('');
}

/** The area between a line with gaps and the ground. */
export function areaPath(places: readonly (Place | null)[], ground: number): string {
  const runs: Place[][] = [];
  let isOpen = false;
  for (const place of places) {
    if (place && isOpen) runs.at(-1)?.push(place);
    else if (place) runs.push([place]);
    isOpen = place !== null;
  }
  return runs
    .map((run) => {
      const [first, last] = [run[0], run.at(-1)];
      return first && last
        ? `M${round(first[0])} ${ground}${linePath(run).replace('M', 'L')}L${round(last[0])} ${ground}Z`
        : '';
    })
    .join('');
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** The largest power that the curve draws: its axis, its legend and the tile beside it take the step of this one. */
export const largestPowerW = ({ powerW, clearSkyW }: Pick<PlantCurve, 'powerW' | 'clearSkyW'>): number =>
  Math.max(0, ...powerW.map((one) => one ?? 0), ...(clearSkyW ?? []));

/** The next round number: 1, 1.5, 2, 3, 4, 5, 6 or 8 and zeros. */
export function niceTop(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((one) => one * power >= value) ?? 10;
  return step * power;
}
