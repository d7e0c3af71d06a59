import { useElementSize } from '@mantine/hooks';
import { type PointerEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './step-chart.module.css';
import { StepHandles } from './step-handles.tsx';
import type { ChartLine, Scale, StepEditing } from './step-lines.ts';
import { type Piece, pieceAt, piecesOf } from './steps.ts';
import { timeTicks } from './time-ticks.ts';
import type { Axis } from './values.ts';
import { dayAndClock } from './when-text.ts';

interface StepChartProps {
  label: string;
  axis: Axis;
  zone: string;
  now: number;
  /** What is in view, epoch ms. */
  view: { from: number; to: number };
  /** The first one is filled, a second one is dashed. */
  lines: readonly ChartLine[];
  textOf: (value: string) => string;
  editing?: StepEditing;
  height?: number;
}

/** Room around the plot, px. */
const ROOM = { left: 58, right: 14, top: 12, bottom: 24 };
/** Where nothing is laid out, as in tests, px. */
const USUAL_PX = 800;

/** How values follow one another over time; with `editing` each step is dragged, or moved with keys. */
export function StepChart(props: StepChartProps) {
  const { label, axis, zone, now, view, lines, textOf, editing, height = 220 } = props;
  const { t } = useTranslation();
  const { ref, width: measured } = useElementSize();
  const [pointed, setPointed] = useState<number | null>(null);
  const clip = useId();
  const width = measured || USUAL_PX;
  const scale = scaleOf(axis, view, width, height);
  const { x, y, timeAt, levelAt } = scale;
  const inner = { width: width - ROOM.left - ROOM.right, height: height - ROOM.top - ROOM.bottom };
  const drawn = lines.map(({ steps, end }) => piecesOf(steps, end));
  const position = (event: { clientX: number; clientY: number; currentTarget: Element }) => {
    const box = event.currentTarget.getBoundingClientRect();
    return { px: event.clientX - box.left, py: event.clientY - box.top };
  };
  const handlePoint = (event: PointerEvent) => setPointed(timeAt(position(event).px));
  const first = lines[0];
  return (
    <figure ref={ref} className={classes.figure} style={{ height }}>
      {/* biome-ignore lint/a11y/useSemanticElements: it stays a drawing; its steps are sliders of their own. */}
      <svg
        className={classes.svg}
        width={width}
        height={height}
        role="group"
        aria-label={label}
        onPointerMove={handlePoint}
        onPointerLeave={() => setPointed(null)}
        onDoubleClick={
          editing &&
          ((event) => {
            const { px, py } = position(event);
            if (px < ROOM.left) return;
            editing.onAdd({ at: scale.snap(timeAt(px)), value: axis.valueAt(levelAt(py)) });
          })
        }
      >
        <clipPath id={clip}>
          <rect x={ROOM.left} y={0} width={Math.max(0, inner.width)} height={height - ROOM.bottom + 1} />
        </clipPath>
        {axis.ticks.map(({ level, text }) => (
          <g key={level}>
            <line
              className={classes.grid}
              x1={ROOM.left}
              x2={width - ROOM.right}
              y1={y(level)}
              y2={y(level)}
            />
            <text className={classes.tick} x={ROOM.left - 8} y={y(level)} textAnchor="end" dy="0.32em">
              {text}
            </text>
          </g>
        ))}
        {timeTicks(view.from, view.to, inner.width, zone).map(({ at, text, isDay }) => (
          <g key={at}>
            <line
              className={classes.grid}
              data-is-day={isDay}
              x1={x(at)}
              x2={x(at)}
              y1={ROOM.top}
              y2={height - ROOM.bottom}
            />
            <text className={classes.tick} data-is-day={isDay} x={x(at)} y={height - 7} textAnchor="middle">
              {text}
            </text>
          </g>
        ))}
        <g clipPath={`url(#${clip})`}>
          {drawn.map((pieces, index) => (
            <Line
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place among them.
              key={index}
              pieces={pieces}
              axis={axis}
              scale={scale}
              isSecond={index > 0}
            />
          ))}
          {now > view.from && now < view.to ? (
            <line className={classes.now} x1={x(now)} x2={x(now)} y1={ROOM.top} y2={height - ROOM.bottom} />
          ) : null}
          {first?.end && first.end > view.from && first.end < view.to ? (
            <line
              className={classes.end}
              x1={x(first.end)}
              x2={x(first.end)}
              y1={ROOM.top}
              y2={height - ROOM.bottom}
            />
          ) : null}
        </g>
        {now > view.from && now < view.to ? (
          <text className={classes.nowText} x={x(now) + 4} y={ROOM.top + 8}>
            {t('schedules.now')}
          </text>
        ) : null}
        {editing && first ? (
          <StepHandles
            line={first}
            axis={axis}
            scale={scale}
            view={view}
            zone={zone}
            textOf={textOf}
            editing={editing}
          />
        ) : null}
      </svg>
      <figcaption className={classes.readout} aria-hidden="true">
        {pointed !== null && pointed >= view.from && pointed <= view.to
          ? [
              dayAndClock(pointed, zone),
              ...drawn.map((pieces, index) => {
                const text = textOf(pieceAt(pieces, pointed)?.value ?? '');
                return lines.length > 1 ? `${lines[index]?.name}: ${text}` : text;
              }),
            ].join(' · ')
          : ''}
      </figcaption>
    </figure>
  );
}

const MINUTE = 60_000;

function scaleOf(
  axis: Axis,
  { from, to }: { from: number; to: number },
  width: number,
  height: number,
): Scale {
  const [wide, high] = [width - ROOM.left - ROOM.right, height - ROOM.top - ROOM.bottom];
  const span = Math.max(1, to - from);
  const reach = axis.most - axis.least;
  const snapMs = span <= 2 * 86_400_000 ? 5 * MINUTE : span <= 8 * 86_400_000 ? 15 * MINUTE : 60 * MINUTE;
  return {
    x: (at) => ROOM.left + ((at - from) / span) * wide,
    y: (level) => ROOM.top + ((axis.most - level) / reach) * high,
    timeAt: (px) => from + ((px - ROOM.left) / wide) * span,
    levelAt: (py) => {
      const level = axis.most - ((py - ROOM.top) / high) * reach;
      const stepped = Math.round(level / axis.step) * axis.step;
      return Math.min(axis.most, Math.max(axis.least, Number(stepped.toFixed(9))));
    },
    snap: (at) => Math.round(at / snapMs) * snapMs,
    snapMs,
  };
}

interface LineProps {
  pieces: readonly Piece[];
  axis: Axis;
  scale: Scale;
  isSecond: boolean;
}

function Line({ pieces, axis, scale: { x, y }, isSecond }: LineProps) {
  const far = 1e6;
  let path = '';
  const areas: string[] = [];
  const ground = y(Math.max(axis.least, Math.min(0, axis.most)));
  let lastEnd: number | null = null;
  for (const { from, to, value } of pieces) {
    const level = axis.levelOf(value);
    if (level === null) {
      lastEnd = null;
      continue;
    }
    const [left, right, high] = [x(from), to === null ? far : x(to), y(level)];
    path += `${lastEnd === from ? 'L' : 'M'}${left} ${high}L${right} ${high}`;
    areas.push(`M${left} ${ground}L${left} ${high}L${right} ${high}L${right} ${ground}Z`);
    lastEnd = to;
  }
  return (
    <>
      {isSecond ? null : <path className={classes.area} d={areas.join('')} />}
      <path className={classes.line} data-is-second={isSecond} d={path} />
    </>
  );
}
