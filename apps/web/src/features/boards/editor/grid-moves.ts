import { BOARD_COLUMNS, type BoardItem, type Place } from '@albedo/contract/boards/board-items';
import { type LayoutItem, moveElement, verticalCompactor } from 'react-grid-layout';

export type Places = ReadonlyMap<string, Place>;

export const toLayout = (places: Places): LayoutItem[] =>
  [...places].map(([i, { x, y, w, h }]) => ({ i, x, y, w, h, minW: 2, minH: 2 }));

export const toPlaces = (layout: readonly LayoutItem[]): Map<string, Place> =>
  new Map(layout.map(({ i, x, y, w, h }) => [i, { x, y, w, h }]));

/** A widget moved or resized by columns and rows; the others make room, as they do for the mouse. */
export function moved(places: Places, id: string, by: Partial<Place>): Map<string, Place> {
  const layout = toLayout(places);
  const item = layout.find(({ i }) => i === id);
  if (!item) return new Map(places);
  const w = clamp(item.w + (by.w ?? 0), 2, BOARD_COLUMNS - item.x);
  const h = clamp(item.h + (by.h ?? 0), 2, 100);
  const x = clamp(item.x + (by.x ?? 0), 0, BOARD_COLUMNS - w);
  const y = Math.max(0, item.y + (by.y ?? 0));
  const sized = layout.map((one) => (one.i === id ? { ...one, w, h } : one));
  const own = sized.find(({ i }) => i === id) as LayoutItem;
  // Down means behind the one below; otherwise it would fall back to where it was.
  const below = by.y !== undefined && by.y > 0 ? belowOf(sized, own) : null;
  const shifted = below
    ? sized.map((one) => (one.i === id ? { ...one, x, y: below.y + below.h } : one))
    : moveElement(sized, own, x, y, true, false, 'vertical', BOARD_COLUMNS);
  return toPlaces(verticalCompactor.compact(shifted, BOARD_COLUMNS));
}

/** The widgets as the grid shows them: none above another, and moved up to where there is room. */
export function compacted(items: readonly BoardItem[]): BoardItem[] {
  const places = new Map(items.flatMap(({ id, place }) => (place ? [[id, place] as const] : [])));
  const after = toPlaces(verticalCompactor.compact(toLayout(places), BOARD_COLUMNS));
  return items.map((one) => {
    const [place, { place: old }] = [after.get(one.id), one];
    return place && old && (place.x !== old.x || place.y !== old.y) ? { ...one, place } : one;
  });
}

/** Beside the last widget where there is room, else below all. */
export function spaceFor(items: readonly BoardItem[], { w, h }: Pick<Place, 'w' | 'h'>): Place {
  const last = items.at(-1)?.place;
  const beside = last ? { x: last.x + last.w, y: last.y, w, h } : null;
  const isFree = beside && items.every(({ place }) => !place || !doOverlap(place, beside));
  if (beside && isFree && beside.x + w <= BOARD_COLUMNS) return beside;
  return { x: 0, y: Math.max(0, ...items.map(({ place }) => (place ? place.y + place.h : 0))), w, h };
}

const doOverlap = (one: Place, other: Place): boolean =>
  one.x < other.x + other.w &&
  other.x < one.x + one.w &&
  one.y < other.y + other.h &&
  other.y < one.y + one.h;

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

/** The first widget below, in the same columns. */
const belowOf = (layout: readonly LayoutItem[], own: LayoutItem): LayoutItem | null =>
  layout
    .filter(
      (one) => one.i !== own.i && one.y >= own.y + own.h && one.x < own.x + own.w && own.x < one.x + one.w,
    )
    .toSorted((a, b) => a.y - b.y)[0] ?? null;
