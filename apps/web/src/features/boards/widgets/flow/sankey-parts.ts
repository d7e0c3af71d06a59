/** Of the whole drawing, px of its own. */
export const HEIGHT = 240;
/** Between two parts. */
const PAD = 14;
/** Height of the two lines of words beside each; what is thinner has this much room. */
export const LEAST = 32;

interface Part {
  kind: string;
  wh: number;
}

/** Height of one Wh, so that all parts fit, each with room for its words. */
export function scaleOf(all: readonly Part[]): number {
  const room = HEIGHT - 8 - PAD * (all.length - 1);
  let thick = all;
  for (;;) {
    const sum = thick.reduce((whole, { wh }) => whole + wh, 0);
    const scale = (room - LEAST * (all.length - thick.length)) / sum;
    const next = thick.filter(({ wh }) => wh * scale >= LEAST);
    if (next.length === thick.length || next.length === 0) return scale;
    thick = next;
  }
}

/** One below the other, each in the middle of its room. */
export function stacked(all: readonly Part[], scale: number) {
  let top = 4;
  return all.map((one) => {
    const height = one.wh * scale;
    const room = Math.max(height, LEAST);
    const place = { ...one, y: top + (room - height) / 2, height };
    top += room + PAD;
    return place;
  });
}

export const heightOf = (all: readonly { height: number }[]): number =>
  all.reduce((sum, { height }) => sum + height, 0);
