import { useMemo } from 'react';
import { formatDay, isoWithOffset, zoneLabel } from '../time-range/zoned-time.ts';
import { formatValue } from '../units/units.ts';
import { type GridCell, HeatGrid } from './heat-grid.tsx';

export interface HeatMapProps {
  title: string;
  units: string | null;
  timeZone: string;
  /** A value for an hour (0 to 23) of a day. */
  cells: readonly { day: number; hour: number; value: number }[];
  /** An instant of each day, epoch ms, by its place; missing where the day has no value. */
  days: readonly (number | undefined)[];
  /** Room for all of it, px; without it rows are as high as they should be. */
  height?: number;
}

const clockOf = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;
const CLOCKS = Array.from({ length: 24 }, (_, hour) => (hour % 6 === 0 ? clockOf(hour) : ''));

/** Values by day (across) and hour (down). */
export function HeatMap({ title, units, timeZone, cells, days, height }: HeatMapProps) {
  const placed = useMemo(
    () => cells.map(({ day, hour, value }) => ({ row: hour, column: day, value })),
    [cells],
  );
  // A day without a value is a hole in the list, which a map would leave out.
  const columns = useMemo(
    () => Array.from(days, (at) => (at === undefined ? '' : formatDay(at, timeZone, 'dayOfYear'))),
    [days, timeZone],
  );
  const dayOf = ({ column }: GridCell) => formatDay(days[column] ?? 0, timeZone);
  return (
    <HeatGrid
      title={title}
      note={days.length > 0 ? zoneLabel(timeZone, days.findLast((at) => at !== undefined) ?? 0) : null}
      units={units}
      cells={placed}
      rows={CLOCKS}
      columns={columns}
      left={40}
      wordsOf={(cell) => `${dayOf(cell)} ${clockOf(cell.row)}   ${formatValue(cell.value, units)}`}
      csv={{
        columns: [{ title: 'day' }, { title: 'hour' }, { title, units }],
        rowOf: (cell) => [isoWithOffset(days[cell.column] ?? 0, timeZone).slice(0, 10), cell.row, cell.value],
      }}
      height={height}
    />
  );
}
