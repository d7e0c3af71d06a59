import type { Threshold } from '@albedo/contract/boards/widgets/parts';
import { formatFixed } from '../../ui/units/numbers.ts';
import { shownAlike, shownValue } from '../../ui/units/units.ts';

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

interface Figure {
  value: number | string | null;
  units: string | null;
}

/** Figures that stand below one another: those that measure the same have one unit and number of decimals. */
export function textsTogether(figures: readonly Figure[], style: Style = {}): string[] {
  if (style.unit !== undefined) return figures.map(({ value, units }) => textOf(value, units, style));
  const alike = new Map(
    [...new Set(figures.map(({ units }) => units))].map((units) => [
      units,
      shownAlike(
        figures.map((one) => (one.units === units && typeof one.value === 'number' ? one.value : null)),
        units,
      ),
    ]),
  );
  return figures.map(({ value, units }, at) => {
    const shown = alike.get(units)?.[at];
    if (!shown || typeof value !== 'number') return textOf(value, units, style);
    const isScaled = shown.unit !== (units ?? '');
    const number =
      style.decimals === undefined || isScaled ? shown.number : formatFixed(value, style.decimals);
    return shown.unit === '' ? number : `${number} ${shown.unit}`;
  });
}
