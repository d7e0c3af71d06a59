/**
 * Colours of lines in the order they are given out. Neighbours differ in lightness as well as in hue, so that they stay
 * apart for every kind of colour vision; each reaches a contrast of 3 on the surface of its scheme.
 */
export const LINE_COLOURS = {
  light: ['#0072b2', '#d55e00', '#00664b', '#b5449c', '#7d6200', '#4338ca', '#0c8599', '#8d2f23'],
  dark: ['#56b4e9', '#ff9a3c', '#2bd79a', '#f29bd0', '#f0e442', '#9d9bff', '#7fe3f0', '#d98b7b'],
} as const;

export type Scheme = keyof typeof LINE_COLOURS;

const DASHES: readonly (readonly number[])[] = [[], [8, 4], [2, 3], [10, 3, 2, 3]];

export interface LineStyle {
  colour: string;
  /** Lengths of strokes and gaps, CSS pixels; empty for a solid line. */
  dash: readonly number[];
}

/** Style of the line at a place in the list; when the colours are used up, the stroke changes. */
export function lineStyle(index: number, scheme: Scheme): LineStyle {
  const colours = LINE_COLOURS[scheme];
  const colour = colours[index % colours.length] ?? colours[0];
  const dash = DASHES[Math.floor(index / colours.length) % DASHES.length] ?? [];
  return { colour, dash };
}

/** What stands beside a line to compare with it: an earlier time of it, or what a model gives for it. */
export type Ghost = 'earlier' | 'model';

export const GHOST_OPACITY = 0.65;
const GHOST_DASHES: Readonly<Record<Ghost, readonly number[]>> = { earlier: [5, 4], model: [1.5, 3] };

/** As `lineStyle`; what is there to compare with is pale, and each kind has strokes of its own. */
export function strokeOf(index: number, scheme: Scheme, ghost: Ghost | null): LineStyle {
  const own = lineStyle(index, scheme);
  return ghost ? { colour: withOpacity(own.colour, GHOST_OPACITY), dash: GHOST_DASHES[ghost] } : own;
}

/** The colour with an opacity from 0 to 1, as a CSS colour. */
export function withOpacity(colour: string, opacity: number): string {
  const alpha = Math.round(opacity * 255);
  return `${colour}${alpha.toString(16).padStart(2, '0')}`;
}
