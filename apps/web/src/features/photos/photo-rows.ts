import type { Photo } from '@albedo/contract/photos/photos.schema';
import { formatDay } from '../../ui/time-range/zoned-time.ts';

/** A line of the grid: the head of a day, or as many photos as fit beside one another. */
export type PhotoRow =
  | { kind: 'day'; key: string; day: string }
  | { kind: 'photos'; key: string; photos: readonly Photo[] };

/** Photos by the days of the zone, in the order in which they come. */
export function rowsOf(photos: readonly Photo[], columns: number, zone: string): PhotoRow[] {
  const rows: PhotoRow[] = [];
  for (const [day, those] of Map.groupBy(photos, ({ takenAt }) => formatDay(takenAt, zone))) {
    rows.push({ kind: 'day', key: `day ${day}`, day });
    for (let at = 0; at < those.length; at += columns) {
      const some = those.slice(at, at + columns);
      rows.push({ kind: 'photos', key: some[0]?.id ?? day, photos: some });
    }
  }
  return rows;
}
