import { useEffect, useMemo, useState } from 'react';
import type { Column } from './column.ts';

interface Fitting<T> {
  columns: readonly Column<T>[];
  /** Columns that somebody chose or hid by hand. */
  choices: Readonly<Record<string, boolean>>;
  /** px by column id, only where somebody changed it. */
  sizing: Readonly<Record<string, number>>;
  rows: readonly T[];
  /** px for all columns; null while it is not known. */
  roomPx: number | null;
}

interface Fitted {
  visibility: Record<string, boolean>;
  /** px by column id: what is left of the width is shared among the columns. */
  widths: Record<string, number>;
  /** Titles of the columns that the width left out. */
  leftOut: string[];
}

/**
 * Which columns are shown. Columns with an importance have to fit the width: the least important ones are left out first, those
 * in which a row calls for attention last. Where a wide one has no room, narrower ones behind it take what there is. A column that was called for stays until the table is opened again, since
 * columns that come and go with the values would be worse than one too many.
 */
export function useFittingColumns<T>({ columns, choices, sizing, rows, roomPx }: Fitting<T>): Fitted {
  const [calling, setCalling] = useState<readonly string[]>([]);
  const called = useMemo(
    () =>
      columns
        .filter(({ id, alarms }) => alarms && !calling.includes(id) && rows.some((row) => alarms(row)))
        .map(({ id }) => id),
    [columns, rows, calling],
  );
  if (called.length > 0) setCalling([...calling, ...called]);
  return useMemo(
    () => fitted({ columns, choices, sizing, roomPx, calling }),
    [columns, choices, sizing, roomPx, calling],
  );
}

/** Without a width, all columns that are not hidden. */
export function fitted<T>({
  columns,
  choices,
  sizing,
  roomPx,
  calling,
}: Omit<Fitting<T>, 'rows'> & { calling: readonly string[] }): Fitted {
  const visibility = Object.fromEntries(
    columns.map(({ id, isHidden, isFixed }) => [id, isFixed === true || (choices[id] ?? isHidden !== true)]),
  );
  const wanted = columns.filter(({ id }) => visibility[id]);
  const widthOf = ({ id, width }: Column<T>) => sizing[id] ?? width;
  const leastOf = ({ id, width, leastWidth }: Column<T>) => sizing[id] ?? leastWidth ?? width;
  if (roomPx === null) return { visibility, widths: {}, leftOut: [] };
  const isRanked = columns.some(({ importance }) => importance !== undefined);
  const importanceOf = (column: Column<T>) =>
    isRanked || column.isFixed || column === columns[0] ? column.importance : -columns.indexOf(column);
  let leftPx = roomPx;
  // The room that is left if all columns have their full width.
  let sparePx = roomPx;
  const take = (column: Column<T>) => {
    leftPx -= leastOf(column);
    sparePx -= widthOf(column);
  };
  const dispensable: Column<T>[] = [];
  for (const column of wanted) {
    if (importanceOf(column) === undefined || choices[column.id]) take(column);
    else dispensable.push(column);
  }
  const rank = (column: Column<T>) =>
    (importanceOf(column) ?? 0) + (calling.includes(column.id) ? CALLING : 0);
  dispensable.sort((a, b) => rank(b) - rank(a));
  let isShort = false;
  for (const column of dispensable) {
    // Once a column is missing, a less important one must not make others narrower.
    const isFitting = isShort ? widthOf(column) <= sparePx : leastOf(column) <= leftPx;
    if (isFitting) take(column);
    else {
      visibility[column.id] = false;
      isShort = true;
    }
  }
  const shown = wanted.filter(({ id }) => visibility[id]);
  return {
    visibility,
    widths: shared(
      shown.filter(({ id }) => sizing[id] === undefined),
      leftPx,
    ),
    leftOut: wanted.filter(({ id }) => !visibility[id]).map(({ title }) => title),
  };
}

/** Above every importance. */
const CALLING = 1000;

/** No column gets narrower than this. */
const LEAST_PX = 56;

/**
 * Distributes the room beyond the least widths: columns first grow to their width, then further in proportion to it. If even
 * the least widths do not fit, all columns shrink, so that the last one is not cut.
 */
function shared<T>(columns: readonly Column<T>[], leftPx: number): Record<string, number> {
  const total = (of: (column: Column<T>) => number) => columns.reduce((sum, column) => sum + of(column), 0);
  const leastOf = ({ width, leastWidth }: Column<T>) => Math.min(width, leastWidth ?? width);
  const wantedPx = total((column) => column.width - leastOf(column));
  const grown = wantedPx === 0 ? 0 : Math.min(1, Math.max(0, leftPx) / wantedPx);
  const beyondPx = Math.max(0, leftPx - wantedPx);
  const widthPx = total(({ width }) => width);
  const leastPx = total(leastOf);
  return Object.fromEntries(
    columns.map((column) => {
      const { id, width } = column;
      const least = leastOf(column);
      if (leftPx < 0)
        return [id, Math.max(LEAST_PX, Math.floor(least * (1 + leftPx / Math.max(1, leastPx))))];
      return [id, Math.floor(least + (width - least) * grown + (beyondPx * width) / Math.max(1, widthPx))];
    }),
  );
}

/** Width of an element inside its edges, px; null while it has none. */
export function useWidth(element: HTMLElement | null): number | null {
  const [widthPx, setWidth] = useState<number | null>(null);
  // Measured before what depends on it is drawn, which would be drawn twice otherwise.
  const firstPx = useMemo(() => element?.clientWidth || null, [element]);
  useEffect(() => {
    if (!element) return;
    const measure = () => setWidth(element.clientWidth || null);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return widthPx ?? firstPx;
}
