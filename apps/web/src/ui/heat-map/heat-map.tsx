import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDay, zoneLabel } from '../time-range/zoned-time.ts';
import { chartToPicture, csvCell, fileName, saveFile } from '../time-series-chart/chart-export.ts';
import { ChartHead } from '../time-series-chart/chart-head.tsx';
import { readTheme } from '../time-series-chart/chart-theme.ts';
import type { Scheme } from '../time-series-chart/palette.ts';
import { formatValue } from '../units/units.ts';
import classes from './heat-map.module.css';

export interface HeatMapProps {
  title: string;
  units: string | null;
  timeZone: string;
  /** A value for an hour (0 to 23) of a day. */
  cells: readonly { day: number; hour: number; value: number }[];
  /** An instant of each day, epoch ms, by its place; missing where the day has no value. */
  days: readonly (number | undefined)[];
}

/** From little to much. */
const RAMPS = {
  light: ['#eef2dc', '#c3d47a', '#86ab39', '#3f7d3c', '#0d4a45'],
  dark: ['#1f2a24', '#2c5a48', '#4f8f3d', '#a3c23f', '#f3f2a2'],
} as const;
const LEFT = 40;
const BOTTOM = 24;
const ROW = 14;
const HEIGHT = 24 * ROW + BOTTOM;

/** Values by day (across) and hour (down). */
export function HeatMap({ title, units, timeZone, cells, days }: HeatMapProps) {
  const { t } = useTranslation();
  const scheme = useComputedColorScheme('light') as Scheme;
  const { ref, width } = useElementSize();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [under, setUnder] = useState<{ x: number; y: number; text: string } | null>(null);
  const [min, max] = cells.reduce(
    ([low, high], { value }) => [Math.min(low, value), Math.max(high, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  const count = Math.max(1, days.length);
  const cellWidth = Math.max(1, (width - LEFT) / count);

  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context || width === 0) return;
    const ratio = window.devicePixelRatio || 1;
    element.width = width * ratio;
    element.height = HEIGHT * ratio;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const theme = readTheme(element, scheme);
    context.clearRect(0, 0, width, HEIGHT);
    const gap = cellWidth > 4 ? 1 : 0;
    for (const { day, hour, value } of cells) {
      context.fillStyle = colourOf(max > min ? (value - min) / (max - min) : 1, scheme);
      context.fillRect(LEFT + day * cellWidth, hour * ROW, Math.max(1, cellWidth - gap), ROW - 1);
    }
    context.fillStyle = theme.dimmed;
    context.font = `12px ${theme.fontFamily}`;
    context.textBaseline = 'middle';
    for (let hour = 0; hour < 24; hour += 6)
      context.fillText(`${String(hour).padStart(2, '0')}:00`, 0, hour * ROW + ROW / 2);
    const every = Math.max(1, Math.ceil(80 / cellWidth));
    days.forEach((at, day) => {
      if (at !== undefined && day % every === 0 && LEFT + day * cellWidth < width - 40)
        context.fillText(formatDay(at, timeZone, 'dayOfYear'), LEFT + day * cellWidth, 24 * ROW + BOTTOM / 2);
    });
  }, [cells, days, width, scheme, timeZone, cellWidth, min, max]);

  const cellAt = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const [day, hour] = [Math.floor((x - LEFT) / cellWidth), Math.floor(y / ROW)];
    const cell = cells.find((one) => one.day === day && one.hour === hour);
    const at = days[day];
    if (!cell || at === undefined) return setUnder(null);
    const clock = `${String(hour).padStart(2, '0')}:00`;
    setUnder({ x, y, text: `${formatDay(at, timeZone)} ${clock}   ${formatValue(cell.value, units)}` });
  };
  const saveCsv = () => {
    const rows = cells.map(({ day, hour, value }) => [
      formatDay(days[day] ?? 0, timeZone),
      String(hour),
      String(value),
    ]);
    const text = [['day', 'hour', units ? `${title} [${units}]` : title], ...rows]
      .map((row) => row.map(csvCell).join(','))
      .join('\r\n');
    saveFile(new Blob([`${text}\r\n`], { type: 'text/csv;charset=utf-8' }), fileName(title, 'csv'));
  };
  const savePicture = async () => {
    if (!canvas.current) return;
    const { surface: ground, text, dimmed, fontFamily: font } = readTheme(canvas.current, scheme);
    const picture = await chartToPicture(canvas.current, title, [], { ground, text, dimmed, font });
    if (picture) saveFile(picture, fileName(title, 'png'));
  };
  const ramp = RAMPS[scheme].join(', ');
  return (
    <figure className={classes.map} aria-label={title}>
      <ChartHead
        title={title}
        note={days.length > 0 ? zoneLabel(timeZone, days.findLast((at) => at !== undefined) ?? 0) : null}
        isEmpty={cells.length === 0}
        onCsv={saveCsv}
        onPicture={savePicture}
      />
      <div ref={ref} className={classes.plot}>
        {cells.length === 0 ? (
          <div className={classes.empty}>{t('chart.empty')}</div>
        ) : (
          <>
            <canvas
              ref={canvas}
              style={{ width: '100%', height: HEIGHT }}
              role="img"
              aria-label={t('chart.of', { title })}
              onPointerMove={cellAt}
              onPointerLeave={() => setUnder(null)}
            />
            {under ? (
              <div
                className={classes.tip}
                style={{
                  transform: `translate(${Math.min(under.x + 12, width - 240)}px, ${under.y + 12}px)`,
                }}
              >
                {under.text}
              </div>
            ) : null}
          </>
        )}
      </div>
      {cells.length > 0 ? (
        <div className={classes.scale}>
          <span>{formatValue(min, units)}</span>
          <span className={classes.ramp} style={{ background: `linear-gradient(to right, ${ramp})` }} />
          <span>{formatValue(max, units)}</span>
        </div>
      ) : null}
    </figure>
  );
}

/** The colour of a share from 0 to 1. */
function colourOf(share: number, scheme: Scheme): string {
  const stops = RAMPS[scheme];
  const place = share * (stops.length - 1);
  const low = Math.min(stops.length - 2, Math.floor(place));
  const mix = place - low;
  const parts = [1, 3, 5].map((at) => {
    const [a, b] = [stops[low] ?? '', stops[low + 1] ?? ''].map((hex) =>
      Number.parseInt(hex.slice(at, at + 2), 16),
    );
    return Math.round((a ?? 0) + ((b ?? 0) - (a ?? 0)) * mix);
  });
  return `rgb(${parts.join(' ')})`;
}
