export const ACTIONS_PX = 44;
/** Room for a day with its time. */
const LAST_PX = 160;
export const TICK_PX = 40;

interface Sized {
  id: string;
  getSize: () => number;
}

/**
 * The columns of the grid as CSS, and how wide they are together, px. The last one takes what is left, as long as nobody
 * gave it a width: its end may be cut, the menu of the row may not.
 */
export function columnWidths(
  headers: readonly Sized[],
  sizing: Readonly<Record<string, number>>,
  has: { tick: boolean; actions: boolean },
  isFitted: boolean,
): { template: string; totalPx: number } {
  const last = headers.at(-1);
  const lastPx = last && (sizing[last.id] ?? (isFitted ? last.getSize() : Math.min(last.getSize(), LAST_PX)));
  const firstPx = headers.slice(0, -1).map((header) => header.getSize());
  const columns = firstPx.map((px) => `${px}px`).join(' ');
  const template = `${has.tick ? `${TICK_PX}px ` : ''}${columns} minmax(${lastPx}px, 1fr)${has.actions ? ` ${ACTIONS_PX}px` : ''}`;
  const aroundPx = (has.tick ? TICK_PX : 0) + (has.actions ? ACTIONS_PX : 0);
  return { template, totalPx: firstPx.reduce((sum, px) => sum + px, (lastPx ?? 0) + aroundPx) };
}
