import { BOARD_COLUMNS, type BoardItem, type Place } from '@albedo/contract/boards/board-items';

/** Height of a row and the space between widgets, px. */
export const ROW_PX = 32;
export const GAP_PX = 10;

/** As designed, on a tablet, in a third of a wide screen, on a telephone. */
export type Width = 'wide' | 'middle' | 'small' | 'narrow';

export const widthOf = (px: number): Width =>
  px >= 1000 ? 'wide' : px >= 560 ? 'middle' : px >= 430 ? 'small' : 'narrow';

/**
 * Tracks that are drawn, and how many columns each stands for. On a telephone, and in a copy that is as narrow, widgets take
 * the whole width or half of it: the space between 24 columns alone would be wider than they have.
 */
export const tracksOf = (width: Width): { count: number; each: number } =>
  width === 'narrow' || width === 'small'
    ? { count: 2, each: BOARD_COLUMNS / 2 }
    : { count: BOARD_COLUMNS, each: 1 };

/** Where each widget stands; those without a place come below the others, in their order. */
export function placesOf(
  items: readonly BoardItem[],
  sizeOf: (item: BoardItem) => { w: number; h: number },
): Map<string, Place> {
  const places = new Map<string, Place>();
  let [x, y, rowHeight] = [0, 0, 0];
  for (const { id, place } of items) {
    if (!place) continue;
    places.set(id, place);
    y = Math.max(y, place.y + place.h);
  }
  for (const item of items) {
    if (item.place) continue;
    const { w, h } = sizeOf(item);
    if (x + w > BOARD_COLUMNS) {
      y += rowHeight;
      [x, rowHeight] = [0, 0];
    }
    places.set(item.id, { x, y, w, h });
    x += w;
    rowHeight = Math.max(rowHeight, h);
  }
  return places;
}

/**
 * The places on a screen of another width, from those that were designed: in reading order, two or three widgets beside
 * each other on a tablet, small figures in pairs and all else below each other where there is less room. No row has a hole.
 */
export function fitTo(width: Width, places: ReadonlyMap<string, Place>): Map<string, Place> {
  if (width === 'wide') return new Map(places);
  const ordered = [...places].toSorted(([, a], [, b]) => a.y - b.y || a.x - b.x);
  const fitted = new Map<string, Place>();
  let y = 0;
  let row: [string, Place][] = [];
  const close = () => {
    const height = Math.max(0, ...row.map(([, { h }]) => h));
    row.forEach(([id], at) => {
      const x = Math.round((at * BOARD_COLUMNS) / row.length);
      const end = Math.round(((at + 1) * BOARD_COLUMNS) / row.length);
      fitted.set(id, { x, y, w: end - x, h: height });
    });
    y += height;
    row = [];
  };
  for (const entry of ordered) {
    const most = besideOf(width, entry[1]);
    const first = row[0]?.[1];
    // Things of quite different heights do not stand beside each other.
    if (first && (row.length >= Math.min(most, besideOf(width, first)) || Math.abs(first.h - entry[1].h) > 4))
      close();
    row.push(entry);
  }
  if (row.length > 0) close();
  return fitted;
}

/** How many widgets of this size stand beside each other. */
function besideOf(width: Width, { w, h }: Place): number {
  if (width === 'small') return w <= 12 && h <= 5 ? 2 : 1;
  const isSmall = w <= 6 && h <= 5;
  if (width === 'narrow') return isSmall && w <= 5 ? 2 : 1;
  if (w >= 13) return 1;
  return isSmall && w <= 4 ? 3 : 2;
}

/** The rows of the grid: one that nothing but groups stand in has no least height, as groups are as high as what they hold. */
export function rowsOf(items: readonly BoardItem[], places: ReadonlyMap<string, Place>): string {
  const rows: ('free' | 'kept')[] = [];
  for (const { id, kind } of items) {
    const { y, h } = places.get(id) ?? { y: 0, h: 0 };
    for (let row = y; row < y + h; row++) rows[row] = kind === 'group' ? (rows[row] ?? 'free') : 'kept';
  }
  return Array.from(rows, (row) => (row === 'free' ? 'minmax(0, auto)' : `minmax(${ROW_PX}px, auto)`)).join(
    ' ',
  );
}
