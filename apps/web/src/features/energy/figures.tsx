import type { EnergyReportName } from '@albedo/contract/energy/energy.names';
import type {
  EnergyReport,
  FigureKind,
  ReportColumn,
  ReportReason,
  ReportRow,
} from '@albedo/contract/energy/energy.schema';
import { Tooltip, VisuallyHidden } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { formatDuration } from '../../ui/units/durations.ts';
import { formatWhole, NO_VALUE } from '../../ui/units/numbers.ts';
import { formatValue, type ShownValue, shownAlike, shownValue } from '../../ui/units/units.ts';
import classes from './energy.module.css';

type Value = number | string | null | undefined;

/** Ratios to what should have been: they are shown as how far they are from it. */
const INDEXES = ['performance', 'peers', 'budgetIndex'];

/** Units of a column as they are shown: ratios are parts of 1 and read as percent. */
export const unitsOf = ({ kind, units }: ReportColumn): string | null =>
  kind === 'ratio' ? '%' : units || null;

/** A figure in the units of `unitsOf`; null for a text, and where there is none. */
export function numberOf({ key, kind }: ReportColumn, value: Value): number | null {
  if (typeof value !== 'number') return null;
  if (kind !== 'ratio') return value;
  return (INDEXES.includes(key) ? value - 1 : value) * 100;
}

/** A column that says how far something is from what it should be: under is red, over is blue. */
const isDeviation = ({ key }: ReportColumn): boolean => key === 'deviation' || INDEXES.includes(key);

export const isText = (kind: FigureKind): boolean => kind === 'text';

/** Number and unit of a figure; a deviation has its sign. */
export function shownFigure(column: ReportColumn, value: Value): ShownValue {
  if (column.kind === 'text') return { number: wordOf(column, value), unit: '' };
  const number = numberOf(column, value);
  if (column.kind === 'count') return { number: formatWhole(number), unit: '' };
  const shown = shownValue(number, unitsOf(column));
  return isDeviation(column) ? { ...shown, number: signed(shown.number, number) } : shown;
}

export function figureText(column: ReportColumn, value: Value): string {
  const { number, unit } = shownFigure(column, value);
  return unit === '' ? number : `${number} ${unit}`;
}

/** The figures of a column: all in the step of the largest, so that they line up. */
export function figuresAlike(column: ReportColumn, values: readonly Value[]): ShownValue[] {
  if (column.kind === 'text' || column.kind === 'count') return values.map((one) => shownFigure(column, one));
  const numbers = values.map((one) => numberOf(column, one));
  const alike = shownAlike(numbers, unitsOf(column));
  return isDeviation(column)
    ? alike.map((one, at) => ({ ...one, number: signed(one.number, numbers[at] ?? null) }))
    : alike;
}

/** What a text of the report means, in the language of the person; one that has no words stands as it is. */
function wordOf({ key }: ReportColumn, value: Value): string {
  if (value === null || value === undefined || value === '') return NO_VALUE;
  const name = `energy.words.${key}.${value}`;
  return i18next.exists(name) ? i18next.t(name as never) : String(value);
}

const signed = (text: string, value: number | null): string =>
  value !== null && value > 0 && /[1-9]/.test(text) ? `+${text}` : text;

/** How much more or less it is than before, in percent; of ratios in points. */
export function changeText(column: ReportColumn, now: Value, before: Value): string | null {
  if (typeof now !== 'number' || typeof before !== 'number') return null;
  const isRatio = column.kind === 'ratio';
  if (column.kind === 'count' || (!isRatio && before === 0)) return null;
  const change = isRatio ? (now - before) * 100 : ((now - before) / Math.abs(before)) * 100;
  const text = signed(formatValue(change, '%'), change);
  return isRatio ? i18next.t('energy.points', { change: text.replace(/\s*%$/, '') }) : text;
}

/** Name of a column; one that has no words is called by its key. */
export function columnTitle(key: string): string {
  const name = `energy.columns.${key}`;
  return i18next.exists(name) ? i18next.t(name as never) : key;
}

/** What a column means, where its name does not say it. */
export function columnHint(key: string): string | undefined {
  const name = `energy.hints.${key}`;
  return i18next.exists(name) ? i18next.t(name as never) : undefined;
}

interface FigureProps {
  text: string;
  /** Why there is none, or what it must not be taken for. */
  reason: ReportReason | undefined;
  /** How long power was limited, which a mark of it tells. */
  curtailedHours?: number | null;
  /** -1 is under, 1 is over what it should be. */
  side?: number;
}

export const hoursText = (hours: number): string => formatDuration(hours * 3_600_000);

/** A figure; a dash says why it is one, and a figure with a mark says what it must not be taken for. */
export function Figure({ text, reason, curtailedHours = null, side = 0 }: FigureProps) {
  const { t } = useTranslation();
  const tone = side < 0 ? classes.under : side > 0 ? classes.over : undefined;
  if (!reason) return <span className={tone}>{text}</span>;
  const why =
    reason === 'curtailed' && curtailedHours !== null
      ? t('energy.notes.curtailed', { value: hoursText(curtailedHours) })
      : t(`energy.reasons.${reason}`);
  return (
    <Tooltip label={why} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
      <span className={classes.reasoned}>
        <span className={tone} data-is-missing={text === NO_VALUE}>
          {text}
        </span>
        {text === NO_VALUE ? null : <IconInfoCircle size={13} aria-hidden className={classes.mark} />}
        <VisuallyHidden>{` (${why})`}</VisuallyHidden>
      </span>
    </Tooltip>
  );
}

/** -1 for under, 1 for over what it should be; a meter is neither within its band. */
export function sideOf(column: ReportColumn, values: Readonly<Record<string, Value>>): number {
  if (column.key === 'deviation' && typeof values.band === 'string')
    return values.band === 'under' ? -1 : values.band === 'over' ? 1 : 0;
  return isDeviation(column) ? Math.sign(numberOf(column, values[column.key]) ?? 0) : 0;
}

/** The reasons of the rows that are shown, each once, with how many figures have it. */
export function reasonsIn(rows: readonly Pick<ReportRow, 'reasons'>[]): [ReportReason, number][] {
  const counts = new Map<ReportReason, number>();
  for (const { reasons } of rows)
    for (const reason of Object.values(reasons)) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a);
}

/** Totals in their order, the answer of the report first; without an entry, in the order of its columns. */
const LEADING: Partial<Record<EnergyReportName, readonly string[]>> = {
  'daily-energy': ['production', 'expected', 'performance', 'below', 'wholeDays', 'specificYield'],
  'performance-ratio': ['deviation', 'production', 'meter', 'performance', 'budgetIndex', 'performanceRatio'],
  'capacity-factor': ['capacityFactor', 'production', 'rating'],
  'inverter-performance': ['below', 'production', 'performance', 'availability', 'europeanEfficiency'],
  'iec-performance-ratio': [
    'performanceRatio',
    'performanceRatio25',
    'performanceRatioWeather',
    'finalYield',
    'completeness',
    'degradation',
  ],
};

/** The columns that a report has a total of, those that answer its question. */
export function totalled({ report, columns, total }: EnergyReport): ReportColumn[] {
  const known = columns.filter(
    ({ key, kind }) =>
      kind !== 'text' && (total.values[key] !== undefined || total.reasons[key] !== undefined),
  );
  const leading = LEADING[report];
  return leading ? leading.flatMap((key) => known.find((one) => one.key === key) ?? []) : known;
}
