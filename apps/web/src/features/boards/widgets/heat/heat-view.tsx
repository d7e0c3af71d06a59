import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import { Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { heatOf } from '../../../../app/series/derived.ts';
import { type GridCell, HeatGrid } from '../../../../ui/heat-map/heat-grid.tsx';
import { HeatMap } from '../../../../ui/heat-map/heat-map.tsx';
import { formatClock, formatDay, formatInstant, zoneLabel } from '../../../../ui/time-range/zoned-time.ts';
import { formatValue } from '../../../../ui/units/units.ts';
import { useAnswer, useBoard } from '../../board-context.ts';
import type { Line } from '../../lines.ts';
import { type Origin, useOrigin } from '../../origins.ts';
import { questionOf, useOwnSpan } from '../../use-figures.ts';
import type { WidgetProps } from '../../widget.ts';
import { WidgetFailure, WidgetNote, WidgetSkeleton } from '../../widget-error.tsx';
import classes from '../list.module.css';
import { OriginDialog } from '../number/origin.tsx';
import { ratedW } from '../rows.ts';
import { useLines } from '../use-lines.ts';
import { againstBest, rowsOverTime } from './heat-rows.ts';

/** Points of one line: so many hours. */
const HOURS = 10_000;
/** Room for the names of rows, and the least width of a column, px. */
const [NAMES, COLUMN] = [110, 5];
/** Shares of the best peer below this have the same colour, %. */
const POOR = 50;

type Props = WidgetProps<SettingsOf<'heat'>>;

/** A value by day and hour of the day, or many of them by time, as they are or against the best one. */
export function HeatView(props: Props) {
  return props.settings.by === 'calendar' ? <Calendar {...props} /> : <Rows {...props} />;
}

function Calendar({ settings, title, height }: Props) {
  const { t } = useTranslation();
  const { zone } = useBoard();
  const span = useOwnSpan(settings.range);
  const { stream, function: fn } = settings;
  const lines = useLines([
    stream && { ...stream, combine: stream.combine === 'each' ? 'sum' : stream.combine },
  ]);
  useOrigin(lines, fn, settings.range);
  const question = questionOf(lines, { span, zone, fn, maxPoints: HOURS, interval: '1h' });
  const answer = useAnswer(lines.length === 0 ? null : question);
  const points = answer.data?.points?.[0];
  const heat = useMemo(() => (points ? heatOf(points, zone) : null), [points, zone]);
  if (lines.length === 0) return <WidgetNote text={t('boards.choose')} />;
  if (answer.error && !heat)
    return <WidgetFailure error={answer.error} onRetry={() => void answer.refetch()} />;
  if (!heat) return <WidgetSkeleton />;
  return (
    <div className={classes.whole}>
      <HeatMap
        title={title}
        units={fn === 'count' ? null : (lines[0]?.units ?? null)}
        timeZone={zone}
        height={height}
        {...heat}
      />
    </div>
  );
}

function Rows({ settings, title, width, height }: Props) {
  const { t } = useTranslation();
  const { zone, byId, isDisplay, isEditing } = useBoard();
  const span = useOwnSpan(settings.range);
  const { stream, function: fn, by, interval } = settings;
  const isAgainstBest = by === 'peers';
  const lines = useLines([
    stream && { ...stream, ...(stream.isPerChild ? {} : { combine: 'each' as const }) },
  ]);
  useOrigin(lines, fn, settings.range);
  const [picked, setPicked] = useState<{ origin: Origin; title: string } | null>(null);
  const of = {
    ...{ span, zone, fn, maxPoints: Math.max(24, Math.floor((width - NAMES) / COLUMN / 12) * 12) },
    interval: interval === 'auto' ? undefined : interval,
  };
  const answer = useAnswer(lines.length === 0 ? null : questionOf(lines, of));
  const points = answer.data?.points;
  const grid = useMemo(() => {
    if (!points) return null;
    const { cells, times } = rowsOverTime(points);
    const rated = lines.map(({ streams }) => {
      const owner = byId.get(streams[0]?.entity ?? '');
      return owner ? ratedW(owner) : null;
    });
    return { times, cells: isAgainstBest ? againstBest(cells, rated) : cells };
  }, [points, lines, byId, isAgainstBest]);
  const names = useMemo(() => lines.map(({ label }) => label), [lines]);
  // The first column may begin before the range.
  const columns = useMemo(
    () => columnsOf(grid?.times.map((at) => Math.max(at, span.from)) ?? [], zone),
    [grid, zone, span.from],
  );
  if (lines.length === 0) return <WidgetNote text={t('boards.choose')} />;
  if (answer.error && !grid)
    return <WidgetFailure error={answer.error} onRetry={() => void answer.refetch()} />;
  if (!grid) return <WidgetSkeleton />;
  const units = isAgainstBest ? '%' : unitsOf(lines, fn);
  const timeOf = ({ column }: GridCell) => grid.times[column] ?? 0;
  const nameOf = ({ row }: GridCell) => names[row] ?? '';
  const pick = (cell: GridCell) => {
    const line = lines[cell.row];
    const [from, to = span.to] = [timeOf(cell), grid.times[cell.column + 1]];
    if (line)
      setPicked({
        title: `${nameOf(cell)}, ${formatInstant(from, zone, false)}`,
        origin: { lines: [line], fn, range: settings.range, span: { from, to } },
      });
  };
  const [first] = grid.times;
  return (
    <div className={classes.whole}>
      <HeatGrid
        title={title}
        note={first === undefined ? null : zoneLabel(zone, first)}
        units={units}
        cells={grid.cells}
        rows={names}
        columns={columns}
        left={NAMES}
        wordsOf={(cell) =>
          `${nameOf(cell)}   ${formatInstant(timeOf(cell), zone, false)}   ${formatValue(cell.value, units)}`
        }
        csv={{
          columns: [
            { title: t('boards.entity') },
            { title: t('boards.timeline.from'), isTime: true },
            { title, units },
          ],
          rowOf: (cell) => [nameOf(cell), new Date(timeOf(cell)), cell.value],
          zone,
        }}
        scale={isAgainstBest ? [POOR, 100] : undefined}
        height={height}
        onPick={isDisplay || isEditing ? undefined : pick}
      />
      {picked ? (
        <Suspense>
          <OriginDialog title={picked.title} origins={[picked.origin]} onClose={() => setPicked(null)} />
        </Suspense>
      ) : null}
    </div>
  );
}

const unitsOf = ([line]: readonly Line[], fn: Props['settings']['function']): string | null =>
  fn === 'count' ? null : (line?.units ?? null);

/** The day where one begins; within a day or two, the clock. */
function columnsOf(times: readonly number[], zone: string): string[] {
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const isShort = last - first <= 36 * 3_600_000;
  let before = '';
  return times.map((at) => {
    const text = isShort ? formatClock(at, zone) : formatDay(at, zone, 'dayOfYear');
    const isNew = isShort ? text.endsWith(':00') : text !== before;
    before = text;
    return isNew ? text : '';
  });
}
