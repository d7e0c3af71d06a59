import type { HoursOf } from './telemetry.chart-hours.ts';
import type { Bound } from './telemetry.columns.ts';
import type { Grid } from './telemetry.series-grid.ts';
import type { Line } from './telemetry.series-rows.ts';

const distinct = (all: readonly string[]): string[] => [...new Set(all)];
/** Each of the values, devices and sources of some lines, once. */
export const valuesOf = (lines: readonly Line[]): string[] => distinct(lines.map(({ value }) => value));
/** As the engine writes it. */
export const deviceOf = ({ device }: Line): string => device.toLowerCase();
export const devicesOf = (lines: readonly Line[]): string[] => distinct(lines.map(deviceOf));
export const sourcesOf = (lines: readonly Line[]): string[] => distinct(lines.map(({ source }) => source));

/**
 * The places of a row's device and source among those of the lines, from 1, UInt32. The engine groups and sorts numbers
 * faster than names, and what is always the same not at all.
 */
export function placesOf(lines: readonly Line[], bound: Bound): { d: string; s: string } {
  const placeOf = (all: string[], type: string, column: string) =>
    all.length === 1 ? 'toUInt32(1)' : `toUInt32(indexOf(${bound.add(all, type)}, ${column}))`;
  return {
    d: placeOf(devicesOf(lines), 'Array(UUID)', 'device'),
    s: placeOf(sourcesOf(lines), 'Array(String)', 'toString(source)'),
  };
}

/** Names the buckets of some lines on a grid; null where other spans have other edges. */
export const bucketsKey = (
  { workgroup, table }: HoursOf,
  lines: readonly Line[],
  { equalMs }: Grid,
): string | null =>
  equalMs === null
    ? null
    : JSON.stringify([
        ...[workgroup, table, equalMs],
        ...lines.map((line) => [deviceOf(line), line.source, line.value]),
      ]);
