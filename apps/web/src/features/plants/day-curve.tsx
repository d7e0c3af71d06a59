import type { PlantCurve } from '@albedo/contract/plants/plants.schema';
import { memo, type PointerEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatClock } from '../../ui/time-range/zoned-time.ts';
import { formatAlike, formatAxis, formatValue } from '../../ui/units/units.ts';
import classes from './day-curve.module.css';
import { areaPath, largestPowerW, linePath, niceTop } from './paths.ts';

const WIDTH = 1000;
const HEIGHT = 240;
const TICK_MS = 3 * 3_600_000;

interface DayCurveProps {
  curve: PlantCurve;
  day: { from: number; to: number };
  zone: string;
}

/**
 * Power of today as an area, the light in the plane as a thin line with an axis of its own at the right, and what the
 * plant would give under a sky without clouds as a dashed one. The pointer reads the values of a moment.
 */
export const DayCurve = memo(function DayCurve({ curve, day, zone }: DayCurveProps) {
  const { t } = useTranslation();
  const [at, setAt] = useState<number | null>(null);
  const { times, powerW, poaWm2, clearSkyW, stepMs } = curve;
  const span = day.to - day.from;
  const largestW = largestPowerW(curve);
  const top = niceTop(Math.max(1000, largestW));
  const lightTop = Math.max(1000, niceTop(Math.max(0, ...poaWm2.map((one) => one ?? 0))));
  const hasLight = poaWm2.some((one) => one !== null);
  const x = (ms: number) => ((ms - day.from) / span) * WIDTH;
  const y = (value: number, of: number) => HEIGHT - (Math.max(0, value) / of) * HEIGHT;
  const middle = (i: number) => day.from + (i + 0.5) * stepMs;
  const power = powerW.map((one, i) => (one === null ? null : ([x(middle(i)), y(one, top)] as const)));
  const light = poaWm2.map((one, i) => (one === null ? null : ([x(middle(i)), y(one, lightTop)] as const)));
  const clear = (clearSkyW ?? []).map((one, i) => [x(middle(i)), y(one, top)] as const);

  const ticks = Array.from({ length: Math.floor(span / TICK_MS) + 1 }, (_, i) => day.from + i * TICK_MS);

  const move = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const step = Math.floor((((event.clientX - left) / width) * span) / stepMs);
    setAt(step >= 0 && step * stepMs < span ? step : null);
  };
  const shown = at ?? times.length - 1;
  const [given, clearGiven] = formatAlike([powerW[shown], clearSkyW?.[shown]], 'W', largestW);
  const items = [
    { key: 'power', value: given },
    ...(clearSkyW ? [{ key: 'clear', value: clearGiven }] : []),
    ...(hasLight ? [{ key: 'light', value: formatValue(poaWm2[shown] ?? null, 'W/m²') }] : []),
  ];
  const axis = formatAxis([0, top / 2, top], 'W', largestW);
  const lightAxis = formatAxis([0, lightTop / 2, lightTop], 'W/m²');
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.legend}>
        {items.map(({ key, value }) => (
          <span key={key} data-line={key}>
            <i aria-hidden />
            {t(`plants.curve.${key}`)} <b>{value}</b>
          </span>
        ))}
        <span className={classes.at}>{formatClock(day.from + shown * stepMs, zone)}</span>
      </figcaption>
      <div className={classes.plot}>
        <div className={classes.axis}>
          {axis.toReversed().map((text) => (
            <span key={text}>{text}</span>
          ))}
        </div>
        <div className={classes.area} onPointerMove={move} onPointerLeave={() => setAt(null)}>
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={t('plants.curve.label', {
              power: formatValue(Math.max(0, ...powerW.map((one) => one ?? 0)), 'W'),
            })}
          >
            {[0, 0.5, 1].map((part) => (
              <path key={part} d={`M0 ${HEIGHT * part}H${WIDTH}`} className={classes.grid} />
            ))}
            <path d={areaPath(power, HEIGHT)} className={classes.fill} />
            <path d={linePath(clear)} className={classes.clear} />
            <path d={linePath(light)} className={classes.light} />
            <path d={linePath(power)} className={classes.power} />
            {at === null ? null : <path d={`M${x(middle(at))} 0V${HEIGHT}`} className={classes.cursor} />}
          </svg>
        </div>
        {hasLight ? (
          <div className={classes.axis} data-side="right">
            {lightAxis.toReversed().map((text) => (
              <span key={text}>{text}</span>
            ))}
          </div>
        ) : null}
        <div className={classes.hours}>
          {ticks.map((tick, i) => (
            <span key={tick} data-odd={i % 2 === 1} style={{ left: `${((tick - day.from) / span) * 100}%` }}>
              {formatClock(tick, zone)}
            </span>
          ))}
        </div>
      </div>
    </figure>
  );
});
