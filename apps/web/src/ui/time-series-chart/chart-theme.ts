import type { Scheme } from './palette.ts';

/** Colours and type of the page as the canvas needs them. */
export interface ChartTheme {
  scheme: Scheme;
  text: string;
  dimmed: string;
  grid: string;
  surface: string;
  fontFamily: string;
}

/** Reads the theme's variables where the chart stands. */
export function readTheme(element: Element, scheme: Scheme): ChartTheme {
  const style = getComputedStyle(element);
  const colour = (name: string, other: string) => style.getPropertyValue(name).trim() || other;
  const isDark = scheme === 'dark';
  return {
    scheme,
    text: colour('--al-text', isDark ? '#e6e9e4' : '#1b1e1a'),
    dimmed: colour('--al-dimmed', isDark ? '#9ca59a' : '#5b6159'),
    grid: colour('--al-border', isDark ? '#2e332e' : '#dfe2dd'),
    surface: colour('--al-surface', isDark ? '#191c19' : '#ffffff'),
    fontFamily: style.fontFamily || 'sans-serif',
  };
}
