import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './step-chart.module.css';
import type { ChartLine, Scale, StepEditing } from './step-lines.ts';
import type { Step } from './steps.ts';
import type { Axis } from './values.ts';
import { dayAndClock } from './when-text.ts';

interface StepHandlesProps {
  line: ChartLine;
  axis: Axis;
  scale: Scale;
  view: { from: number; to: number };
  zone: string;
  textOf: (value: string) => string;
  editing: StepEditing;
}

/** More than these could not be told apart. */
const MOST = 150;
const MINUTE = 60_000;
/** The end of a schedule among its steps. */
const END = -1;

/** What is dragged: each step by its time and value, and the end by its time. */
export function StepHandles({ line, view, ...rest }: StepHandlesProps) {
  const { steps, end } = line;
  const shown = steps
    .map((step, index) => ({ step, index }))
    .filter(({ step }) => step.at >= view.from && step.at <= view.to);
  if (shown.length > MOST) return null;
  return (
    <>
      {shown.map(({ step, index }) => (
        <Handle
          {...rest}
          key={index}
          step={step}
          index={index}
          reach={{
            least: (steps[index - 1]?.at ?? Number.NEGATIVE_INFINITY) + MINUTE,
            most: (steps[index + 1]?.at ?? end ?? Number.POSITIVE_INFINITY) - MINUTE,
          }}
        />
      ))}
      {end !== null && end >= view.from && end <= view.to ? (
        <Handle
          {...rest}
          step={{ at: end, value: '' }}
          index={END}
          reach={{
            least: (steps.at(-1)?.at ?? Number.NEGATIVE_INFINITY) + MINUTE,
            most: Number.POSITIVE_INFINITY,
          }}
        />
      ) : null}
    </>
  );
}

interface HandleProps extends Omit<StepHandlesProps, 'line' | 'view'> {
  step: Step;
  index: number;
  /** Between its neighbours, epoch ms. */
  reach: { least: number; most: number };
}

function Handle({ step, index, reach, axis, scale, zone, textOf, editing }: HandleProps) {
  const { t } = useTranslation();
  const isDragged = useRef(false);
  const isEnd = index === END;
  const level = axis.levelOf(step.value);
  const move = (at: number, next: number | null) => {
    const value = next === null || level === null ? step.value : axis.valueAt(next);
    const within = Math.min(reach.most, Math.max(reach.least, at));
    if (within !== step.at || value !== step.value) editing.onMove(index, { at: within, value });
  };
  const handleDrag = (event: PointerEvent<SVGGElement>) => {
    if (!isDragged.current) return;
    const box = event.currentTarget.ownerSVGElement?.getBoundingClientRect();
    if (!box) return;
    move(
      scale.snap(scale.timeAt(event.clientX - box.left)),
      level === null ? null : scale.levelAt(event.clientY - box.top),
    );
  };
  const handleKey = (event: KeyboardEvent) => {
    const { key, shiftKey } = event;
    const times = { ArrowLeft: -1, ArrowRight: 1 }[key];
    const levels = { ArrowDown: -1, ArrowUp: 1 }[key];
    if (times) move(step.at + times * (shiftKey ? 60 * MINUTE : scale.snapMs), null);
    else if (levels && level !== null) {
      const next = level + levels * axis.step * (shiftKey ? 10 : 1);
      move(step.at, Number(Math.min(axis.most, Math.max(axis.least, next)).toFixed(9)));
    } else if ((key === 'Delete' || key === 'Backspace') && !isEnd) editing.onRemove(index);
    else return;
    event.preventDefault();
  };
  const [cx, cy] = [scale.x(step.at), scale.y(level ?? axis.least)];
  const when = dayAndClock(step.at, zone);
  return (
    <g
      className={classes.handle}
      role="slider"
      tabIndex={0}
      aria-label={isEnd ? t('schedules.end') : t('schedules.step', { number: index + 1 })}
      aria-valuemin={axis.least}
      aria-valuemax={axis.most}
      aria-valuenow={level ?? axis.least}
      aria-valuetext={
        level === null && step.value === ''
          ? t('schedules.endsAt', { at: when })
          : t('schedules.fromAt', { value: textOf(step.value), at: when })
      }
      data-is-end={step.value === ''}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        isDragged.current = true;
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={handleDrag}
      onPointerUp={() => {
        isDragged.current = false;
      }}
      onPointerCancel={() => {
        isDragged.current = false;
      }}
      onDoubleClick={(event) => event.stopPropagation()}
      onKeyDown={handleKey}
    >
      <circle className={classes.grip} cx={cx} cy={cy} r={22} />
      <circle className={classes.dot} cx={cx} cy={cy} r={6} />
    </g>
  );
}
