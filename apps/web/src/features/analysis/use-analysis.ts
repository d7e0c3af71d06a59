import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import type { Formula } from '@albedo/contract/formulae/formulae.schema';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { earlierSpan } from '../../app/series/earlier.ts';
import { useSpan } from '../../app/series/use-span.ts';
import { useWorkgroup } from '../../app/session.ts';
import { AS_COLLECTED, resolveZone } from '../../ui/time-range/time-zone.ts';
import { useTables } from '../telemetry/telemetry.queries.ts';
import { type AnalysisRequest, analysisQuery } from './analysis.queries.ts';
import type { AnalysisAddress } from './analysis-address.ts';
import { type AnalysisLine, isStream } from './analysis-lines.ts';
import { type DrawnLine, drawnLines, seriesOfLines } from './analysis-series.ts';
import { useKnownDevices } from './use-known-devices.ts';

/** Points of one line of each kind of question. */
const POINTS = { raw: 10_000, all: 100_000, shapes: 5000 } as const;
/** Widths are rounded up to this many pixels, so that a small change of the window asks for nothing new. */
const WIDTH_STEP = 200;

/** Everything that the page draws. `width` is that of its charts, pixels; 0 before it is known. */
export function useAnalysis(
  address: AnalysisAddress,
  devices: readonly DeviceSummary[],
  formulas: readonly Formula[],
  width: number,
) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { lines, time, compare, view } = address;
  const used = useMemo(() => lines.flatMap((line) => streamsIn(line, formulas)), [lines, formulas]);
  const ids = useMemo(() => [...new Set(used.map(({ device }) => device))], [used]);
  const { byName: tables, isPending: areTablesPending } = useTables(wg, [
    ...new Set(used.map(({ table }) => table)),
  ]);
  const known = useKnownDevices(ids);
  const zoneOf = useCallback(
    (line: Pick<DrawnLine, 'device'>) => resolveZone(time.zone, known.get(line.device)?.zone ?? null),
    [time.zone, known],
  );
  // One range for all: in the clocks of the first device, where those of the devices are wanted.
  const deviceZone = known.get(ids[0] ?? '')?.zone ?? null;
  const zone = resolveZone(time.zone, deviceZone);
  const span = useSpan(time, zone);
  const earlier = useMemo(() => (compare ? earlierSpan(span, compare, zone) : null), [span, compare, zone]);
  const asked: AnalysisRequest = {
    wg,
    streams: lines.filter(isStream),
    formulas: lines.flatMap((line) => {
      const formula = isStream(line) ? undefined : formulas.find(({ _id }) => _id === line.formula);
      if (!formula) return [];
      const { expression, unit, inputs } = formula;
      return [{ key: `formula~${formula._id}`, of: { expression, unit, inputs } }];
    }),
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
  const drawn = useMemo(
    () => drawnLines(lines, { devices, known, tables, formulas, formulaWord: t('analysis.formula') }),
    [lines, devices, known, tables, formulas, t],
  );
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
  const isMixed = time.zone === AS_COLLECTED && new Set(drawn.map(zoneOf)).size > 1;
  const newestAt =
    isLive && series ? Math.max(0, ...series.map(([own]) => own?.points.times.at(-1) ?? 0)) : 0;
  const shown = useMemo(() => ({ from: span.from, to: Math.max(span.to, newestAt) }), [span, newestAt]);
  return { query, drawn, series, span, shown, ids, isLive, zone, zoneOf, tables, known, deviceZone, isMixed };
}

/** The streams that a line reads. */
function streamsIn(line: AnalysisLine, formulas: readonly Formula[]) {
  if (isStream(line)) return [line];
  return formulas.find(({ _id }) => _id === line.formula)?.inputs ?? [];
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
