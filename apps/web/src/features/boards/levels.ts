import type { Threshold } from '@albedo/contract/boards/widgets/parts';
import { formatFixed } from '../../ui/units/numbers.ts';
import { decimalsTogether, shownValue } from '../../ui/units/units.ts';

export type Level = Threshold['level'] | null;

/** The level of a value: that of the last threshold which it reaches; null where it reaches none. */
export function levelOf(value: number | string | null, thresholds: readonly Threshold[]): Level {
  if (typeof value !== 'number') return null;
  const reached = thresholds.toSorted((a, b) => a.from - b.from).findLast(({ from }) => value >= from);
  return reached?.level ?? null;
}

interface Style {
  unit?: string | undefined;
  decimals?: number | undefined;
}

/** The style of figures that stand below one another: with the same number of decimals, unless it says a unit or decimals itself. */
export function styleTogether<S extends Style>(
  style: S,
  values: readonly (number | string | null | undefined)[],
  units: string | null | undefined,
): S {
  const numbers = values.map((value) => (typeof value === 'number' ? value : null));
  const decimals = decimalsTogether(numbers, units);
  return decimals === undefined || style.unit !== undefined ? style : { decimals, ...style };
}

/** Number and unit of a figure; a unit or decimals of the widget's own stand in place of those of the field. */
export function figureText(
  value: number | string | null,
  units: string | null,
  { unit, decimals }: Style,
): { number: string; unit: string } {
  if (typeof value === 'string') return { number: value, unit: '' };
  if (unit !== undefined || decimals !== undefined) {
    if (value === null) return { number: '–', unit: '' };
    if (unit === undefined && decimals !== undefined) {
      const shown = shownValue(value, units);
      const scale = Number(shown.number.replace(/[^\d.-]/g, ''));
      if (Number.isFinite(scale) && shown.unit === (units ?? ''))
        return { number: formatFixed(value, decimals), unit: shown.unit };
      return shown;
    }
    return { number: formatFixed(value, decimals ?? 1), unit: unit ?? units ?? '' };
  }
  return shownValue(value, units);
}

export const textOf = (value: number | string | null, units: string | null, style: Style = {}): string => {
  const { number, unit } = figureText(value, units, style);
  return unit === '' ? number : `${number} ${unit}`;
};
