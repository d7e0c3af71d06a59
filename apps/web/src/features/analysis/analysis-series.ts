import type { PlantSite } from '@albedo/contract/plants/plant-site';
import { combineValues } from '@albedo/contract/telemetry/combine-values';
import type { SeriesPoints } from '@albedo/contract/telemetry/telemetry.schema';
import { type Comparison, movedOn } from '../../app/series/earlier.ts';
import type { Span } from '../../ui/time-range/time-range.ts';
import type { ChartSeries } from '../../ui/time-series-chart/series-data.ts';
import { baseUnit } from '../../ui/units/units.ts';
import { type AnalysisAnswer, NO_POINTS } from './analysis.queries.ts';
import { clearSky, skyKindOf } from './clear-sky.ts';
import type { DrawnLine, KnownDevice } from './drawn-lines.ts';

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
  const siteOf = (device: string) => known.get(device)?.site;
  return lines.map((line, style) => {
    const loaded = answer.points.get(line.key);
    const found = loaded && wish.isLive ? { ...loaded, now: withNewest(loaded.now, line, known) } : loaded;
    const scale = wish.isNormalised ? ratedScale(line, siteOf) : null;
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
    const sky = wish.hasClearSky && wish.hasUnits ? skyOf(line, siteOf, answer.span) : null;
    if (sky && !skies.has(sky.key)) {
      skies.add(sky.key);
      const points = scale ? scaled(sky.points, scale / baseUnit(line.units).factor) : sky.points;
      const skyUnits = scale ? '%' : baseUnit(line.units).unit;
      const name = texts.clearSky(label);
      series.push({ id: `${id} sky`, label: name, units: skyUnits, points, style, ghost: 'model' });
    }
    return series;
  });
}

/** The points with the newest value of the line behind them, where it is newer. */
function withNewest(
  points: SeriesPoints,
  { streams, combine, table }: DrawnLine,
  known: ReadonlyMap<string, KnownDevice>,
): SeriesPoints {
  const newest = streams.map(({ device, table, source, field, factor, offset }) => {
    const found = known.get(device)?.sources.find((one) => one.table === table && one.source === source);
    const value = found?.values[field];
    return found && typeof value === 'number' ? { at: found.eventAt, value: value * factor + offset } : null;
  });
  const all = newest.filter((one) => one !== null);
  const last = points.times.at(-1);
  const at = Math.max(...all.map((one) => one.at));
  // Of several streams the newest values of all; one that is missing would look like a drop.
  const isWhole = all.length === streams.length && (combine !== null || table !== '');
  if (!isWhole || last === undefined || at <= last + points.stepMs) return points;
  const values = all.map((one) => one.value);
  const value = combine === null ? (values[0] ?? null) : combineValues(values, combine);
  const { times, min, avg, max, stats } = points;
  return {
    ...points,
    times: [...times, at],
    min: [...min, value],
    avg: [...avg, value],
    max: [...max, value],
    stats: { ...stats, last: value },
  };
}

/**
 * By which a value in the line's units becomes a part of the rated power of all that it reads, %; null where it is no
 * power or one of the plants does not say its own.
 */
export function ratedScale(
  { units, streams }: Pick<DrawnLine, 'units' | 'streams'>,
  siteOf: (device: string) => PlantSite | undefined,
): number | null {
  const { unit, factor } = baseUnit(units);
  if (unit !== 'W') return null;
  let ratedW = 0;
  for (const { device, part } of streams) {
    const site = siteOf(device);
    const ownW = site?.ratedPowerW ?? site?.peakPowerW ?? null;
    if (ownW === null) return null;
    ratedW += ownW * part;
  }
  return ratedW > 0 ? (100 * factor) / ratedW : null;
}

/** What a sky without clouds gives the line: the power of several plants together, the light of one place. */
function skyOf(
  { units, field, streams, combine }: DrawnLine,
  siteOf: (device: string) => PlantSite | undefined,
  span: Span,
) {
  // What an entity has is called by what it means, in the language of the user.
  const kind = skyKindOf(baseUnit(units).unit, combine === null ? field : (streams[0]?.field ?? ''));
  if (!kind) return null;
  const parts = new Map<string, number>();
  for (const { device, part } of streams) parts.set(device, (parts.get(device) ?? 0) + part);
  const skies = [...parts].map(([device, part]) => {
    const site = siteOf(device);
    return site ? clearSky(site, kind, part, span) : null;
  });
  const all = skies.filter((sky) => sky !== null);
  const [first] = all;
  if (!first || all.length < skies.length || (all.length > 1 && kind !== 'power')) return null;
  const key = JSON.stringify([kind, ...parts]);
  return { key, points: all.length === 1 ? first : together(all) };
}

/** The sum of skies, which have the same instants. */
function together(skies: readonly SeriesPoints[]): SeriesPoints {
  const times = skies[0]?.times ?? [];
  const sums = times.map((_, i) => skies.reduce((sum, { avg }) => sum + (avg[i] ?? 0), 0));
  const stats = {
    count: sums.length,
    min: Math.min(...sums),
    avg: sums.reduce((sum, value) => sum + value, 0) / Math.max(1, sums.length),
    max: Math.max(...sums),
    last: sums.at(-1) ?? null,
  };
  return { stepMs: 0, times, min: sums, avg: sums, max: sums, stats };
}

function scaled(points: SeriesPoints, by: number): SeriesPoints {
  const all = (values: (number | null)[]) => values.map((value) => (value === null ? null : value * by));
  const one = (value: number | null) => (value === null ? null : value * by);
  const { count, min, avg, max, last } = points.stats;
  const stats = { count, min: one(min), avg: one(avg), max: one(max), last: one(last) };
  return { ...points, min: all(points.min), avg: all(points.avg), max: all(points.max), stats };
}
