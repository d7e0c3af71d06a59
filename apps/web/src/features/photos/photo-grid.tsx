import type { Photo } from '@albedo/contract/photos/photos.schema';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatClock, formatInstant } from '../../ui/time-range/zoned-time.ts';
import { PhotoImage } from './photo-image.tsx';
import { rowsOf } from './photo-rows.ts';
import classes from './photos.module.css';

const TILE_PX = 220;
const NARROW_TILE_PX = 150;
const GAP_PX = 10;
const CAPTION_PX = 24;
const DAY_PX = 40;
/** Before that the width is not known; a grid of four is drawn. */
const FIRST_WIDTH = 4 * (TILE_PX + GAP_PX);

interface PhotoGridProps {
  wg: string;
  /** Newest first. */
  photos: readonly Photo[];
  zone: string;
  nameOf: (photo: Photo) => string;
  hasMore: boolean;
  onMore: () => void;
  onOpen: (photo: Photo) => void;
}

/** Photos day by day; only those in sight are drawn and fetched. */
export function PhotoGrid({ wg, photos, zone, nameOf, hasMore, onMore, onOpen }: PhotoGridProps) {
  const { t } = useTranslation();
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const width = useWidth(scroller) || FIRST_WIDTH;
  const columns = Math.max(
    2,
    Math.floor((width + GAP_PX) / ((width < 500 ? NARROW_TILE_PX : TILE_PX) + GAP_PX)),
  );
  const rows = useMemo(() => rowsOf(photos, columns, zone), [photos, columns, zone]);
  const tilePx = Math.floor((width - GAP_PX * (columns - 1)) / columns);
  const rowPx = Math.round(tilePx * 0.75) + CAPTION_PX + GAP_PX;
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: (at) => (rows[at]?.kind === 'day' ? DAY_PX : rowPx),
    getItemKey: (at) => rows[at]?.key ?? at,
    overscan: 2,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another width makes other rows.
  useEffect(() => virtualizer.measure(), [rowPx, rows]);
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= rows.length - 4) onMore();
  }, [hasMore, last, rows.length, onMore]);

  return (
    <div ref={setScroller} className={classes.grid}>
      <div style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
        {items.map(({ index, key, start }) => {
          const row = rows[index];
          if (!row) return null;
          const style = { transform: `translateY(${start}px)` };
          if (row.kind === 'day') {
            return (
              <h2 key={key} className={classes.day} style={style}>
                {row.day}
              </h2>
            );
          }
          return (
            <div
              key={key}
              className={classes.row}
              style={{ ...style, gridTemplateColumns: `repeat(${columns}, ${tilePx}px)` }}
            >
              {row.photos.map((photo) => (
                <button
                  key={`${photo.deviceId} ${photo.id}`}
                  type="button"
                  className={classes.tile}
                  // Begins with what stands below the picture: who speaks to the screen says that.
                  aria-label={`${formatClock(photo.takenAt, zone)} ${t('photos.open', {
                    camera: nameOf(photo),
                    time: formatInstant(photo.takenAt, zone),
                  })}`}
                  onClick={() => onOpen(photo)}
                >
                  <span className={classes.frame}>
                    <PhotoImage wg={wg} photo={photo} alt="" isCut />
                  </span>
                  <span className={classes.caption}>
                    <b>{formatClock(photo.takenAt, zone)}</b> <span>{nameOf(photo)}</span>
                  </span>
                </button>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Room beside one another, px; 0 until it is known. */
function useWidth(element: HTMLElement | null): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element) return;
    const measure = () => setWidth(element.clientWidth);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [element]);
  return width;
}
