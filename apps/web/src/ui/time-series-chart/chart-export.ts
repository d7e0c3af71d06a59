import { isoWithOffset } from '../time-range/zoned-time.ts';
import type { ChartSeries } from './series-data.ts';

/**
 * The points of a chart as CSV, one line for each instant; thinned series have their smallest and largest value beside
 * the mean. Times are those of the zone with their offset, values in the units of the series.
 */
export function seriesToCsv(series: readonly ChartSeries[], timeZone: string): string {
  const header = ['time', ...series.flatMap(columnNames)];
  const rows = new Map<number, string[]>();
  let offset = 1;
  for (const one of series) {
    const { times, min, avg, max } = one.points;
    const columns = one.points.stepMs > 0 ? [avg, min, max] : [avg];
    for (const [i, time] of times.entries()) {
      if (columns[0]?.[i] === null) continue;
      const row = rows.get(time) ?? new Array<string>(header.length).fill('');
      for (const [c, values] of columns.entries()) row[offset + c] = String(values[i] ?? '');
      rows.set(time, row);
    }
    offset += columns.length;
  }
  const lines = [...rows]
    .sort(([a], [b]) => a - b)
    .map(([time, row]) => [isoWithOffset(time, timeZone), ...row.slice(1)]);
  return [header, ...lines]
    .map((cells) => cells.map(csvCell).join(','))
    .join('\r\n')
    .concat('\r\n');
}

function columnNames({ label, units, points }: ChartSeries): string[] {
  const name = units ? `${label} [${units}]` : label;
  return points.stepMs > 0 ? [`${name} mean`, `${name} min`, `${name} max`] : [name];
}

/** A cell as RFC 4180 wants it; a text that a spreadsheet would run as a formula is defused. */
export function csvCell(text: string): string {
  const safe = /^[=+@]|^-(?![\d.])/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
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
