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
  if (roomPx === null || columns.every(({ importance }) => importance === undefined))
    return { visibility, widths: {}, leftOut: [] };
  let leftPx = roomPx;
  const dispensable: Column<T>[] = [];
  for (const column of wanted) {
    if (column.importance === undefined || choices[column.id]) leftPx -= widthOf(column);
    else dispensable.push(column);
  }
  const rank = ({ id, importance = 0 }: Column<T>) => importance + (calling.includes(id) ? CALLING : 0);
  dispensable.sort((a, b) => rank(b) - rank(a));
  for (const column of dispensable) {
    if (widthOf(column) > leftPx) visibility[column.id] = false;
    else leftPx -= widthOf(column);
  }
  const shown = wanted.filter(({ id }) => visibility[id]);
  return {
    visibility,
    widths: shared(
      shown.filter(({ id }) => sizing[id] === undefined),
      Math.max(0, leftPx),
    ),
    leftOut: wanted.filter(({ id }) => !visibility[id]).map(({ title }) => title),
  };
}

/** Above every importance. */
const CALLING = 1000;

/** Shares px among the columns, to each by its width. */
function shared<T>(columns: readonly Column<T>[], leftPx: number): Record<string, number> {
  const totalPx = columns.reduce((sum, { width }) => sum + width, 0);
  return Object.fromEntries(
    columns.map(({ id, width }) => [id, Math.floor(width * (1 + leftPx / Math.max(1, totalPx)))]),
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
