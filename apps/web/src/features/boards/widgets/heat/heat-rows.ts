import type { SeriesPoints } from '@albedo/contract/telemetry/telemetry.schema';
import type { GridCell } from '../../../../ui/heat-map/heat-grid.tsx';

/** Where even the best one is below this share of its own most, as at night, nobody is compared. */
const DARK = 0.02;

/** The values of several lines, one row each; `times` are those of the columns, epoch ms. */
export function rowsOverTime(points: readonly (Pick<SeriesPoints, 'times' | 'avg'> | undefined)[]): {
  cells: GridCell[];
  times: number[];
} {
  const times = [...new Set(points.flatMap((one) => one?.times ?? []))].sort((a, b) => a - b);
  const columnOf = new Map(times.map((at, column) => [at, column]));
  const cells = points.flatMap((one, row) =>
    (one?.times ?? []).flatMap((at, i): GridCell[] => {
      const [value, column] = [one?.avg[i] ?? null, columnOf.get(at)];
      return value === null || column === undefined ? [] : [{ row, column, value }];
    }),
  );
  return { cells, times };
}

/**
 * Each value as the share, in per cent, of the best one at the same time. Where every row says what it is rated for, values
 * are compared by that, so that small and large ones compare.
 */
export function againstBest(cells: readonly GridCell[], rated: readonly (number | null)[]): GridCell[] {
  const arePerRated = rated.length > 0 && rated.every((one) => one !== null);
  const own = cells.map((cell) => ({
    ...cell,
    value: cell.value / (arePerRated ? (rated[cell.row] ?? 1) : 1),
  }));
  const best = new Map<number, number>();
  for (const { column, value } of own) best.set(column, Math.max(best.get(column) ?? value, value));
  const most = Math.max(0, ...best.values());
  return own.flatMap((cell) => {
    const of = best.get(cell.column) ?? 0;
    return of <= most * DARK ? [] : [{ ...cell, value: (100 * cell.value) / of }];
  });
}
