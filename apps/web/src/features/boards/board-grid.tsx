import type { BoardItem } from '@albedo/contract/boards/board-items';
import { useElementSize } from '@mantine/hooks';
import { useMemo } from 'react';
import { useBoard } from './board-context.ts';
import classes from './boards.module.css';
import { fitTo, placesOf, rowsOf, tracksOf, widthOf } from './layout.ts';
import { WidgetFrame } from './widget-frame.tsx';

/** The widgets of a board or of a group, each in its place; on narrow screens in places that follow from these. */
export function BoardGrid({ items }: { items: readonly BoardItem[] }) {
  const { sizeOf } = useBoard();
  const { ref, width } = useElementSize();
  const size = width === 0 ? null : widthOf(width);
  const places = useMemo(() => (size ? fitTo(size, placesOf(items, sizeOf)) : null), [items, size, sizeOf]);
  const ordered = useMemo(
    () =>
      items.toSorted((a, b) => {
        const [one, other] = [places?.get(a.id), places?.get(b.id)];
        return one && other ? one.y - other.y || one.x - other.x : 0;
      }),
    [items, places],
  );
  const { count, each } = tracksOf(size ?? 'wide');
  return (
    <div
      ref={ref}
      className={classes.grid}
      style={{
        gridTemplateColumns: `repeat(${count}, minmax(0, 1fr))`,
        gridTemplateRows: places ? rowsOf(items, places) : undefined,
      }}
    >
      {places
        ? ordered.map((item) => {
            const place = places.get(item.id);
            if (!place) return null;
            const { x, y, w, h } = place;
            return (
              <div
                key={item.id}
                className={classes.cell}
                style={{ gridColumn: `${x / each + 1} / span ${w / each}`, gridRow: `${y + 1} / span ${h}` }}
              >
                <WidgetFrame item={item} />
              </div>
            );
          })
        : null}
    </div>
  );
}
