import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import type { Entity } from '@albedo/contract/entities/entities.schema';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../../../app/now.ts';
import { agoText } from '../../../../ui/units/durations.ts';
import { baseUnit } from '../../../../ui/units/units.ts';
import { useBoard } from '../../board-context.ts';
import { figureData } from '../../figure-data.ts';
import { figureText, levelOf, textOf } from '../../levels.ts';
import { type Figure, useFigures } from '../../use-figures.ts';
import type { WidgetProps } from '../../widget.ts';
import { useWidgetData } from '../../widget-data.ts';
import { WidgetFailure, WidgetNote, WidgetSkeleton } from '../../widget-error.tsx';
import { OriginButton } from '../number/origin.tsx';
import { ratedW } from '../rows.ts';
import { useLines } from '../use-lines.ts';
import classes from './gauge.module.css';

type Props = WidgetProps<SettingsOf<'gauge'>>;

export const GaugeView = (props: Props) => <Scale {...props} look="arc" />;
export const SpeedometerView = (props: Props) => <Scale {...props} look="dial" />;
export const CylinderView = (props: Props) => <Scale {...props} look="cylinder" />;

interface Reading {
  /** Where the value is between least and most, 0 to 1; null without a value. */
  share: number | null;
  level: string | undefined;
  number: string;
  unit: string;
  least: string;
  most: string;
  /** Where thresholds begin, with their level. */
  marks: { share: number; level: string }[];
}

function Scale({ settings, title, look, width, height }: Props & { look: 'arc' | 'dial' | 'cylinder' }) {
  const { t } = useTranslation();
  const now = useNow(30_000);
  const { byId } = useBoard();
  const { stream, function: fn, min, thresholds } = settings;
  const lines = useLines([
    stream && { ...stream, combine: stream.combine === 'each' ? 'sum' : stream.combine },
  ]);
  const isOpen = settings.max === undefined;
  const { figures, isPending, error, retry } = useFigures({
    lines,
    fn,
    range: settings.range,
    trendPoints: isOpen ? 100 : 0,
  });
  const [figure] = figures;
  useWidgetData(figureData(title, figure, fn));
  if (!stream) return <WidgetNote text={t('boards.choose')} />;
  if (error) return <WidgetFailure error={error} onRetry={retry} />;
  if (isPending || !figure) return <WidgetSkeleton />;
  const { value, at, isStale, points, line } = figure;
  const units = fn === 'count' ? null : line.units;
  const isShare = units === '%';
  const highest = Math.max(points?.stats.max ?? 0, typeof value === 'number' ? value : 0);
  const full = ratedIn(units, line.streams, byId);
  const max = settings.max ?? (isShare ? 100 : roundUp(Math.max(highest, full)));
  const place = (one: number) => Math.max(0, Math.min(1, (one - min) / (max - min || 1)));
  const reading: Reading = {
    share: typeof value === 'number' ? place(value) : null,
    level: levelOf(value, thresholds) ?? undefined,
    ...figureText(value, units, settings),
    least: textOf(min, units, settings),
    most: textOf(max, units, settings),
    marks: thresholds.map(({ from, level }) => ({ share: place(from), level })),
  };
  const Look = look === 'arc' ? Arc : look === 'dial' ? Dial : Cylinder;
  const words = `${title}: ${reading.number} ${reading.unit} (${reading.least} – ${reading.most})`;
  return (
    <div className={classes.gauge} data-stale={isStale}>
      <Look {...reading} words={words} isFlat={width / Math.max(1, height) > 2.2} />
      {isStale && at !== null ? <p>{t('boards.old', { ago: agoText(at, now) })}</p> : null}
      <OriginButton lines={lines} fn={fn} range={settings.range} title={title} />
    </div>
  );
}

/** What those that a power is of are rated for, in `units`: else the scale of a sleeping inverter ends at 1 W. 0 where nobody says. */
function ratedIn(
  units: string | null | undefined,
  streams: Figure['line']['streams'],
  byId: ReadonlyMap<string, Entity>,
): number {
  const { unit, factor } = baseUnit(units);
  if (unit !== 'W') return 0;
  const entities = new Set(streams.map(({ entity }) => entity));
  const rated = [...entities].map((id) => ratedW(byId.get(id) ?? { meta: {} }) ?? Number.NaN);
  const sum = rated.reduce((all, one) => all + one, 0);
  return Number.isNaN(sum) ? 0 : sum / factor;
}

/** The next round number. */
export function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((one) => one * power >= value) ?? 10) * power;
}

type LookProps = Reading & { words: string; isFlat: boolean };

const CENTRE = { x: 100, y: 96 };
const point = (share: number, radius: number, from = 180, sweep = 180) => {
  const angle = ((from + share * sweep) * Math.PI) / 180;
  return [CENTRE.x + radius * Math.cos(angle), CENTRE.y + radius * Math.sin(angle)] as const;
};
const arc = (from: number, to: number, radius: number): string => {
  const [a, b] = [point(from, radius), point(to, radius)];
  return `M${a[0]} ${a[1]}A${radius} ${radius} 0 0 1 ${b[0]} ${b[1]}`;
};

function Arc({ share, level, number, unit, least, most, marks, words }: LookProps) {
  return (
    <svg viewBox="0 0 200 124" role="img" aria-label={words}>
      <path d={arc(0, 1, 80)} className={classes.track} />
      {share ? <path d={arc(0, share, 80)} className={classes.filled} data-level={level} /> : null}
      <Marks marks={marks} />
      <text x={100} y={88} className={classes.value} data-level={level}>
        {number}
      </text>
      <text x={100} y={106} className={classes.unit}>
        {unit}
      </text>
      <text x={2} y={114} className={classes.least}>
        {least}
      </text>
      <text x={198} y={114} className={classes.most}>
        {most}
      </text>
    </svg>
  );
}

function Marks({ marks }: Pick<Reading, 'marks'>) {
  const sorted = marks.toSorted((a, b) => a.share - b.share);
  return sorted.map(({ share, level }, at) => (
    <path
      key={`${share} ${level}`}
      d={arc(share, sorted[at + 1]?.share ?? 1, 92)}
      className={classes.mark}
      data-level={level}
    />
  ));
}

function Dial({ share, level, number, unit, least, most, marks, words }: LookProps) {
  const [x, y] = point(share ?? 0, 66);
  const ticks = Array.from({ length: 11 }, (_, i) => i / 10);
  return (
    <svg viewBox="0 0 200 144" role="img" aria-label={words}>
      <Marks marks={marks} />
      {ticks.map((tick) => {
        const [outer, inner] = [point(tick, 84), point(tick, (tick * 10) % 5 === 0 ? 70 : 76)];
        return (
          <path key={tick} d={`M${outer[0]} ${outer[1]}L${inner[0]} ${inner[1]}`} className={classes.tick} />
        );
      })}
      {share === null ? null : (
        <path d={`M${CENTRE.x} ${CENTRE.y}L${x} ${y}`} className={classes.needle} data-level={level} />
      )}
      <circle cx={CENTRE.x} cy={CENTRE.y} r={6} className={classes.hub} />
      <text x={100} y={136} className={classes.small} data-level={level}>
        {number} {unit}
      </text>
      <text x={2} y={112} className={classes.least}>
        {least}
      </text>
      <text x={198} y={112} className={classes.most}>
        {most}
      </text>
    </svg>
  );
}

function Cylinder({ share, level, number, unit, least, most, marks, words }: LookProps) {
  const [top, bottom] = [16, 136];
  const y = bottom - (share ?? 0) * (bottom - top);
  return (
    <svg viewBox="0 0 180 160" role="img" aria-label={words}>
      <path d={`M20 ${top}V${bottom}A40 12 0 0 0 100 ${bottom}V${top}`} className={classes.glass} />
      {share === null ? null : (
        <>
          <path
            d={`M20 ${y}V${bottom}A40 12 0 0 0 100 ${bottom}V${y}A40 12 0 0 1 20 ${y}`}
            className={classes.liquid}
            data-level={level}
          />
          <ellipse cx={60} cy={y} rx={40} ry={12} className={classes.surface} data-level={level} />
        </>
      )}
      <ellipse cx={60} cy={top} rx={40} ry={12} className={classes.glass} />
      {marks.map(({ share: at, level: of }) => {
        const height = bottom - at * (bottom - top);
        return <path key={`${at}`} d={`M100 ${height}h8`} className={classes.mark} data-level={of} />;
      })}
      <text x={112} y={top + 6} className={classes.left}>
        {most}
      </text>
      <text x={112} y={bottom + 6} className={classes.left}>
        {least}
      </text>
      <text x={112} y={76} className={classes.large} data-level={level}>
        {number}
      </text>
      <text x={112} y={92} className={classes.left}>
        {unit}
      </text>
    </svg>
  );
}
