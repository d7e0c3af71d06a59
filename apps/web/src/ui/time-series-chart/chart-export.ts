import type { CsvColumn, CsvValue } from '@albedo/contract/csv/csv-writer';
import type { CsvTable } from '../csv/csv-ask.ts';
import type { ChartSeries } from './series-data.ts';

/**
 * The points of a chart as a table, one row for each instant; thinned series have their smallest and largest value beside the mean.
 * Values are in the units of the series.
 */
export function seriesTable(series: readonly ChartSeries[]): CsvTable {
  const columns = [{ title: 'time', isTime: true }, ...series.flatMap(columnsOf)];
  const rows = new Map<number, CsvValue[]>();
  let offset = 1;
  for (const one of series) {
    const { times, min, avg, max } = one.points;
    const lists = one.points.stepMs > 0 ? [avg, min, max] : [avg];
    for (const [i, time] of times.entries()) {
      if (lists[0]?.[i] === null) continue;
      const row = rows.get(time) ?? new Array<CsvValue>(columns.length).fill(null);
      for (const [c, values] of lists.entries()) row[offset + c] = values[i] ?? null;
      rows.set(time, row);
    }
    offset += lists.length;
  }
  return {
    columns,
    rows: [...rows].sort(([a], [b]) => a - b).map(([time, row]) => [new Date(time), ...row.slice(1)]),
  };
}

function columnsOf({ label, units, points }: ChartSeries): CsvColumn[] {
  const names = points.stepMs > 0 ? ['mean', 'min', 'max'].map((kind) => `${label} ${kind}`) : [label];
  return names.map((title) => ({ title, units }));
}

export interface PictureLegend {
  label: string;
  colour: string;
  text: string;
}

/** The chart as a picture with its title and legend, on an opaque ground. */
export function chartToPicture(
  chart: HTMLCanvasElement,
  title: string,
  legend: readonly PictureLegend[],
  colours: { ground: string; text: string; dimmed: string; font: string },
): Promise<Blob | null> {
  const ratio = window.devicePixelRatio || 1;
  const line = 20 * ratio;
  const edge = 16 * ratio;
  const canvas = document.createElement('canvas');
  canvas.width = chart.width + 2 * edge;
  canvas.height = chart.height + 2 * edge + line * (1.5 + legend.length);
  const context = canvas.getContext('2d');
  if (!context) return Promise.resolve(null);
  context.fillStyle = colours.ground;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.textBaseline = 'middle';
  context.fillStyle = colours.text;
  context.font = `600 ${14 * ratio}px ${colours.font}`;
  context.fillText(title, edge, edge + line / 2);
  context.drawImage(chart, edge, edge + line * 1.5);
  context.font = `${12 * ratio}px ${colours.font}`;
  for (const [index, entry] of legend.entries()) {
    const y = edge + line * (1.5 + index) + chart.height + line / 2;
    context.fillStyle = entry.colour;
    context.fillRect(edge, y - 2 * ratio, 14 * ratio, 4 * ratio);
    context.fillStyle = colours.text;
    context.fillText(entry.label, edge + 22 * ratio, y);
    const width = context.measureText(entry.label).width;
    context.fillStyle = colours.dimmed;
    context.fillText(entry.text, edge + 22 * ratio + width + 16 * ratio, y);
  }
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}

/** Hands a file to the browser's downloads. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A file name of a title: letters, digits and hyphens. */
export const fileName = (title: string, extension: string): string =>
  `${
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '') || 'chart'
  }.${extension}`;
