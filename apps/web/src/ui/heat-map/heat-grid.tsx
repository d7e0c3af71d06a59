import type { CsvColumn, CsvValue } from '@albedo/contract/csv/csv-writer';
import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { askCsv } from '../csv/csv-ask.ts';
import { chartToPicture, fileName, saveFile } from '../time-series-chart/chart-export.ts';
import { ChartHead } from '../time-series-chart/chart-head.tsx';
import { readTheme } from '../time-series-chart/chart-theme.ts';
import type { Scheme } from '../time-series-chart/palette.ts';
import { formatValue } from '../units/units.ts';
import classes from './heat-map.module.css';

/** A value in a row and a column, by their places. */
export interface GridCell {
  row: number;
  column: number;
  value: number;
}

interface HeatGridProps {
  title: string;
  /** What stands right of the title, such as the time zone. */
  note: string | null;
  units: string | null;
  cells: readonly GridCell[];
  /** What stands before each row; nothing where it is empty. */
  rows: readonly string[];
  /** What can stand below each column; nothing where it is empty. */
  columns: readonly string[];
  /** Room for the names of rows, px. */
  left: number;
  /** What a cell is, for who points at it. */
  wordsOf: (cell: GridCell) => string;
  csv: {
    columns: readonly CsvColumn[];
    rowOf: (cell: GridCell) => readonly CsvValue[];
    zone?: string;
  };
  /** Where the colours begin and end; without it at the least and the most of the values. */
  scale?: readonly [number, number] | undefined;
  /** Room for all of it, px; without it rows are as high as they should be. */
  height?: number | undefined;
  /** Somebody pressed a cell. */
  onPick?: ((cell: GridCell) => void) | undefined;
}

/** From little to much. */
const RAMPS = {
  light: ['#eef2dc', '#c3d47a', '#86ab39', '#3f7d3c', '#0d4a45'],
  dark: ['#1f2a24', '#2c5a48', '#4f8f3d', '#a3c23f', '#f3f2a2'],
} as const;
const BOTTOM = 24;
/** Height of a row where there is room for it, and the least and the most of it where the room is given, px. */
const ROW = { usual: 14, least: 5, most: 30 };
/** Head and scale of colours, px. */
const AROUND = 32 + 20;

/** Values as colours, by row and column. */
export function HeatGrid(props: HeatGridProps) {
  const { title, note, units, cells, rows, columns, left, wordsOf, csv } = props;
  const { t } = useTranslation();
  const scheme = useComputedColorScheme('light') as Scheme;
  const { ref, width } = useElementSize();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [under, setUnder] = useState<{ x: number; y: number; text: string } | null>(null);
  const [min, max] = props.scale ?? extentOf(cells);
  const rowHeight = rowHeightOf(rows.length, props.height);
  const plotHeight = rows.length * rowHeight + BOTTOM;
  const cellWidth = Math.max(1, (width - left) / Math.max(1, columns.length));

  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context || width === 0) return;
    const ratio = window.devicePixelRatio || 1;
    element.width = width * ratio;
    element.height = plotHeight * ratio;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const theme = readTheme(element, scheme);
    context.clearRect(0, 0, width, plotHeight);
    const gap = cellWidth > 4 ? 1 : 0;
    for (const { row, column, value } of cells) {
      context.fillStyle = colourOf(max > min ? (value - min) / (max - min) : 1, scheme);
      context.fillRect(
        left + column * cellWidth,
        row * rowHeight,
        Math.max(1, cellWidth - gap),
        rowHeight - (rowHeight > 6 ? 1 : 0),
      );
    }
    context.fillStyle = theme.dimmed;
    context.font = `12px ${theme.fontFamily}`;
    context.textBaseline = 'middle';
    const everyRow = Math.ceil(14 / rowHeight);
    rows.forEach((text, row) => {
      if (text !== '' && row % everyRow === 0)
        context.fillText(shortened(context, text, left - 8), 0, row * rowHeight + rowHeight / 2);
    });
    let end = 0;
    columns.forEach((text, column) => {
      const x = left + column * cellWidth;
      const textWidth = text === '' ? 0 : context.measureText(text).width;
      if (textWidth === 0 || x < end || x + textWidth > width) return;
      context.fillText(text, x, rows.length * rowHeight + BOTTOM / 2);
      end = x + textWidth + 24;
    });
  }, [cells, rows, columns, left, width, plotHeight, rowHeight, scheme, cellWidth, min, max]);

  const cellAt = (event: PointerEvent | MouseEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const [column, row] = [Math.floor((x - left) / cellWidth), Math.floor(y / rowHeight)];
    const cell = cells.find((one) => one.column === column && one.row === row);
    return { x, y, cell };
  };
  const pointAt = (event: PointerEvent) => {
    const { x, y, cell } = cellAt(event);
    setUnder(cell ? { x, y, text: wordsOf(cell) } : null);
  };
  const pickAt = (event: MouseEvent) => {
    const { cell } = cellAt(event);
    if (cell) props.onPick?.(cell);
  };
  const saveCsv = () =>
    askCsv({
      title,
      ...(csv.zone ? { zone: csv.zone } : {}),
      table: () => ({ columns: csv.columns, rows: cells.map(csv.rowOf) }),
    });
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
        note={note}
        isEmpty={cells.length === 0}
        onCsv={saveCsv}
        onPicture={savePicture}
      />
      <div ref={ref} className={classes.plot} style={{ minHeight: plotHeight }}>
        {cells.length === 0 ? (
          <div className={classes.empty}>{t('chart.empty')}</div>
        ) : (
          <>
            <canvas
              ref={canvas}
              style={{ width: '100%', height: plotHeight }}
              role="img"
              aria-label={t('chart.of', { title })}
              onPointerMove={pointAt}
              onClick={pickAt}
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
        <div className={classes.scale} style={{ paddingLeft: left }}>
          <span>{formatValue(min, units)}</span>
          <span className={classes.ramp} style={{ background: `linear-gradient(to right, ${ramp})` }} />
          <span>{formatValue(max, units)}</span>
        </div>
      ) : null}
    </figure>
  );
}

function rowHeightOf(rows: number, height: number | undefined): number {
  if (height === undefined) return ROW.usual;
  const fitting = Math.floor((height - AROUND - BOTTOM) / Math.max(1, rows));
  return Math.min(ROW.most, Math.max(ROW.least, fitting));
}

const extentOf = (cells: readonly GridCell[]): [number, number] =>
  cells.reduce(
    ([low, high], { value }) => [Math.min(low, value), Math.max(high, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );

/** As much of a name as fits. */
function shortened(context: CanvasRenderingContext2D, text: string, room: number): string {
  if (context.measureText(text).width <= room) return text;
  let end = text.length;
  while (end > 1 && context.measureText(`${text.slice(0, end)}…`).width > room) end--;
  return `${text.slice(0, end)}…`;
}

/** The colour of a share from 0 to 1; what lies outside has that of the end. */
function colourOf(given: number, scheme: Scheme): string {
  const share = Math.min(1, Math.max(0, given));
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
