import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import type { Formula } from '@albedo/contract/formulae/formulae.schema';
import { MOST_COMBINED } from '@albedo/contract/telemetry/telemetry.schema';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { KnownWorld } from '../../app/entity-world-query.ts';
import { earlierSpan } from '../../app/series/earlier.ts';
import { useSpan } from '../../app/series/use-span.ts';
import { useWorkgroup } from '../../app/session.ts';
import { isCollected, resolveZone } from '../../ui/time-range/time-zone.ts';
import { useTables } from '../telemetry/telemetry.queries.ts';
import { type AnalysisRequest, analysisQuery } from './analysis.queries.ts';
import type { AnalysisAddress } from './analysis-address.ts';
import { isFormula, isStream } from './analysis-lines.ts';
import { seriesOfLines } from './analysis-series.ts';
import { type DrawnLine, drawnLines, streamsIn } from './drawn-lines.ts';
import { useKnownDevices } from './use-known-devices.ts';

/** Points of one line of each kind of question. */
const POINTS = { raw: 10_000, all: 100_000, shapes: 5000 } as const;
/** Widths are rounded up to this many pixels, so that a small change of the window asks for nothing new. */
const WIDTH_STEP = 200;
/** Devices that are asked for their site and their newest values. */
export const MOST_KNOWN = 40;

/** What the lines of an address are looked up in. */
export interface AnalysisFacts {
  devices: readonly DeviceSummary[];
  formulas: readonly Formula[];
  /** The entities that the user sees; null where the page has none. */
  entities: KnownWorld | null;
}

/** Everything that the page draws. `width` is that of its charts, pixels; 0 before it is known. */
export function useAnalysis(
  address: AnalysisAddress,
  { devices, formulas, entities }: AnalysisFacts,
  width: number,
) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { lines, time, compare, view } = address;
  const used = useMemo(
    () => lines.flatMap((line) => streamsIn(line, { formulas, entities })),
    [lines, formulas, entities],
  );
  const usedDevices = useMemo(() => {
    const own = new Set(devices.map(({ id }) => id));
    // What calculations write stands under their id.
    return [...new Set(used.map(({ device }) => device))].filter((id) => own.has(id));
  }, [used, devices]);
  const ids = useMemo(() => usedDevices.slice(0, MOST_KNOWN), [usedDevices]);
  const { byName: tables, isPending: areTablesPending } = useTables(wg, [
    ...new Set(used.map(({ table }) => table)),
  ]);
  const known = useKnownDevices(ids);
  const drawn = useMemo(() => {
    const facts = { devices, known, tables, formulas, entities, formulaWord: t('analysis.formula') };
    return drawnLines(lines, facts);
  }, [lines, devices, known, tables, formulas, entities, t]);
  const zoneOf = useCallback(
    (line: Pick<DrawnLine, 'zone'>) => resolveZone(time.zone, line.zone),
    [time.zone],
  );
  // One range for all: in the clocks of the first line, where those of the sites are wanted.
  const deviceZone = drawn[0]?.zone ?? null;
  const zone = resolveZone(time.zone, deviceZone);
  const span = useSpan(time, zone);
  const earlier = useMemo(() => (compare ? earlierSpan(span, compare, zone) : null), [span, compare, zone]);
  const asked: AnalysisRequest = {
    wg,
    streams: lines.filter(isStream),
    formulas: lines.flatMap((line) => {
      const formula = isFormula(line) ? formulas.find(({ _id }) => _id === line.formula) : undefined;
      if (!formula) return [];
      const { expression, unit, inputs } = formula;
      return [{ key: `formula~${formula._id}`, of: { expression, unit, inputs } }];
    }),
    combined: drawn.flatMap(({ key, streams, combine }) =>
      combine === null || streams.length > MOST_COMBINED
        ? []
        : [{ key, of: { combine, streams: streams.map(({ part: _part, ...stream }) => stream) } }],
    ),
    span,
    earlier,
    maxPoints: pointsOf(address, width),
    interval: intervalOf(address),
    timezone: zone,
    fn: address.interval === 'raw' || address.interval === 'all' ? 'average' : address.fn,
    dateField: address.dateField,
  };
  const options = analysisQuery(asked);
  const query = useQuery({ ...options, enabled: options.enabled !== false && width > 0 });
  const answer = query.data;
  const { isNormalised, hasClearSky, fn, interval } = address;
  const isLive = time.isRefreshing && view === 'line' && fn === 'average' && interval !== 'all';
  const series = useMemo(() => {
    // Without their units lines would stand in charts that fall apart a moment later.
    if (!answer || areTablesPending) return undefined;
    const texts = {
      earlier: (label: string, by: string) => t(`analysis.comparedLine.${by}`, { label }),
      clearSky: (label: string) => t('analysis.clearSkyLine', { label }),
    };
    const hasUnits = fn !== 'count';
    const isTime = view === 'line' || view === 'column';
    const wish = { lines: drawn, answer, known, zone, hasUnits, texts, isNormalised, isLive };
    return seriesOfLines({ ...wish, compare: isTime ? compare : null, hasClearSky: hasClearSky && isTime });
  }, [areTablesPending, answer, drawn, known, zone, compare, isNormalised, hasClearSky, fn, view, isLive, t]);
  const isMixed = isCollected(time.zone) && new Set(drawn.map(zoneOf)).size > 1;
  const newestAt =
    isLive && series ? Math.max(0, ...series.map(([own]) => own?.points.times.at(-1) ?? 0)) : 0;
  const shown = useMemo(() => ({ from: span.from, to: Math.max(span.to, newestAt) }), [span, newestAt]);
  const told = { query, drawn, series, span, shown, ids, isLive, zone, zoneOf, tables, known, deviceZone };
  return { ...told, isMixed, unknownCount: usedDevices.length - ids.length };
}

function pointsOf({ interval, view }: AnalysisAddress, width: number): number {
  if (interval === 'raw') return POINTS.raw;
  if (interval === 'all') return POINTS.all;
  if (view === 'distribution' || view === 'duration') return POINTS.shapes;
  const most = Math.min(10_000, Math.max(400, Math.ceil(width / WIDTH_STEP) * WIDTH_STEP));
  return view === 'column' ? Math.ceil(most / 12) : most;
}

function intervalOf({ interval, view }: AnalysisAddress): string | null {
  if (view === 'heat') return '1h';
  return interval === 'auto' || interval === 'raw' || interval === 'all' ? null : interval;
}
