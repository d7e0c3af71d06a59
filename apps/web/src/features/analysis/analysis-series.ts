import type { DeviceSummary, LatestSource } from '@albedo/contract/devices/devices.schema';
import type { Formula } from '@albedo/contract/formulae/formulae.schema';
import type { PlantSite } from '@albedo/contract/plants/plant-site';
import type { SeriesPoints, TableInfo } from '@albedo/contract/telemetry/telemetry.schema';
import { type ChartLine, lineLabel } from '../../app/series/chart-lines.ts';
import { type Comparison, movedOn } from '../../app/series/earlier.ts';
import { isStepped, unitsOf } from '../../app/series/source-groups.ts';
import type { Span } from '../../ui/time-range/time-range.ts';
import type { ChartSeries } from '../../ui/time-series-chart/series-data.ts';
import { baseUnit } from '../../ui/units/units.ts';
import { type AnalysisAnswer, NO_POINTS } from './analysis.queries.ts';
import { type AnalysisLine, analysisLineToText, isStream } from './analysis-lines.ts';
import { clearSky, skyKindOf } from './clear-sky.ts';

/** What is known of a device besides its name. */
export interface KnownDevice {
  site: PlantSite;
  zone: string | null;
  sources: readonly LatestSource[];
}

/** A line with all that its drawing needs. `key` is its text in the address. */
export interface DrawnLine extends ChartLine {
  key: string;
  label: string;
  /** The device, or that of a formula's first input. */
  device: string;
  units: string | null;
  isStepped: boolean;
  /** How much of its plant it is: one of four inverters is a quarter. */
  part: number;
}

export interface LineFacts {
  devices: readonly DeviceSummary[];
  known: ReadonlyMap<string, KnownDevice>;
  tables: ReadonlyMap<string, TableInfo>;
  formulas: readonly Formula[];
  /** What a formula is called where a source stands. */
  formulaWord: string;
}

/** The lines that can be drawn; formulas that the user does not see are left out. */
export function drawnLines(lines: readonly AnalysisLine[], facts: LineFacts): DrawnLine[] {
  const { devices, known, tables, formulas, formulaWord } = facts;
  const drawn = lines.flatMap((line): DrawnLine[] => {
    const key = analysisLineToText(line);
    if (isStream(line)) {
      const { device, table, source, field } = line;
      const alike = (known.get(device)?.sources ?? []).filter(
        (one) => one.table === table && field in one.values,
      );
      return [
        {
          ...{ key, label: '', device, table, source, field },
          units: unitsOf(tables, table, field),
          isStepped: isStepped(tables, table, field),
          part: 1 / Math.max(1, alike.length),
        },
      ];
    }
    const formula = formulas.find(({ _id }) => _id === line.formula);
    if (!formula) return [];
    return [
      {
        ...{ key, label: '', device: formula.inputs[0]?.device ?? '', table: '', source: formulaWord },
        ...{ field: formula.title, units: formula.resultUnit || null, isStepped: false, part: 1 },
      },
    ];
  });
  const nameOf = (id: string) => devices.find((one) => one.id === id)?.name ?? id;
  const areMany = new Set(drawn.map(({ device }) => device)).size > 1;
  return drawn.map((line) => {
    if (line.table === '') return { ...line, label: line.field };
    const streams = drawn.filter(({ table }) => table !== '');
    const label = lineLabel(line, streams);
    return { ...line, label: areMany ? `${nameOf(line.device)} / ${label}` : label };
  });
}

export interface SeriesWish {
  lines: readonly DrawnLine[];
  answer: AnalysisAnswer;
  known: ReadonlyMap<string, KnownDevice>;
  compare: Comparison | null;
  isNormalised: boolean;
  hasClearSky: boolean;
  zone: string;
  /** The newest values of devices are put behind the points that were loaded. */
  isLive: boolean;
  /** Numbers that count nothing of the unit, such as counts of values. */
  hasUnits: boolean;
  texts: { earlier: (label: string, by: Comparison) => string; clearSky: (label: string) => string };
}

/** The series of each line: itself, what it was earlier, and what a sky without clouds gives. */
export function seriesOfLines(wish: SeriesWish): ChartSeries[][] {
  const { lines, answer, known, compare, zone, texts } = wish;
  const skies = new Set<string>();
  return lines.map((line, style) => {
    const loaded = answer.points.get(line.key);
    const found = loaded && wish.isLive ? { ...loaded, now: withNewest(loaded.now, line, known) } : loaded;
    const scale = wish.isNormalised ? ratedScale(line, known.get(line.device)?.site) : null;
    const units = scale ? '%' : wish.hasUnits ? line.units : null;
    const shown = (points: SeriesPoints) => (scale ? scaled(points, scale) : points);
    const { key: id, label } = line;
    const series: ChartSeries[] = [
      { id, label, units, points: shown(found?.now ?? NO_POINTS), style, isStepped: line.isStepped },
    ];
    if (compare && found?.before && answer.earlier) {
      const points = movedOn(shown(found.before), answer.span, compare, zone);
      const name = texts.earlier(label, compare);
      series.push({ id: `${id} earlier`, label: name, units, points, style, ghost: 'earlier' });
    }
    const sky = wish.hasClearSky && wish.hasUnits ? skyOf(line, known, answer.span) : null;
    const skyKey = `${line.device} ${sky?.kind} ${line.part}`;
    if (sky && !skies.has(skyKey)) {
      skies.add(skyKey);
      const points = scale ? scaled(sky.points, scale / baseUnit(line.units).factor) : sky.points;
      const skyUnits = scale ? '%' : baseUnit(line.units).unit;
      const name = texts.clearSky(label);
      series.push({ id: `${id} sky`, label: name, units: skyUnits, points, style, ghost: 'model' });
    }
    return series;
  });
}

/** The points with the newest value of the line's source behind them, where it is newer. */
function withNewest(
  points: SeriesPoints,
  line: DrawnLine,
  known: ReadonlyMap<string, KnownDevice>,
): SeriesPoints {
  const newest = known
    .get(line.device)
    ?.sources.find(({ table, source }) => table === line.table && source === line.source);
  const value = newest?.values[line.field];
  const last = points.times.at(-1);
  if (!newest || typeof value !== 'number' || last === undefined || newest.eventAt <= last + points.stepMs)
    return points;
  const { times, min, avg, max, stats } = points;
  return {
    ...points,
    times: [...times, newest.eventAt],
    min: [...min, value],
    avg: [...avg, value],
    max: [...max, value],
    stats: { ...stats, last: value },
  };
}

/** By which a value in the line's units becomes a part of the rated power, %; null where it is no power or not known. */
export function ratedScale({ units, part }: DrawnLine, site: PlantSite | undefined): number | null {
  const { unit, factor } = baseUnit(units);
  const ratedW = site?.ratedPowerW ?? site?.peakPowerW ?? null;
  return unit === 'W' && ratedW !== null ? (100 * factor) / (ratedW * part) : null;
}

function skyOf(line: DrawnLine, known: ReadonlyMap<string, KnownDevice>, span: Span) {
  const kind = skyKindOf(baseUnit(line.units).unit, line.field);
  const site = known.get(line.device)?.site;
  const points = kind && site ? clearSky(site, kind, line.part, span) : null;
  return kind && points ? { kind, points } : null;
}

function scaled(points: SeriesPoints, by: number): SeriesPoints {
  const all = (values: (number | null)[]) => values.map((value) => (value === null ? null : value * by));
  const one = (value: number | null) => (value === null ? null : value * by);
  const { count, min, avg, max, last } = points.stats;
  const stats = { count, min: one(min), avg: one(avg), max: one(max), last: one(last) };
  return { ...points, min: all(points.min), avg: all(points.avg), max: all(points.max), stats };
}
