// biome-ignore-all lint/a11y/useSemanticElements: only the rows in sight are drawn, which a table element cannot express.
// biome-ignore-all lint/a11y/useFocusableInteractive: the field of the search keeps the focus and names the active row.
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the field of the search hears the keys of all rows.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyIcon } from '../../ui/copy-id.tsx';
import { Keys } from '../../ui/keys.tsx';
import classes from './search.module.css';
import type { SearchItem } from './search-items.ts';
import { sourceOf } from './use-search-items.ts';

/** Source: specification 1, section 9. */
const ROW_PX = 45;

interface SearchResultsProps {
  /** The rows are named `<id>-<index>`. */
  id: string;
  items: readonly SearchItem[];
  /** Index of the row that Enter opens; -1 for none. */
  active: number;
  onActivate: (index: number) => void;
  onOpen: (item: SearchItem) => void;
}

/** The results, however many: only those in sight are drawn. */
export function SearchResults({ id, items, active, onActivate, onOpen }: SearchResultsProps) {
  const { t } = useTranslation();
  const scrollRef = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
  });
  useEffect(() => {
    if (active >= 0) virtualizer.scrollToIndex(active);
  }, [active, virtualizer]);
  return (
    <div ref={scrollRef} className={classes.results} hidden={items.length === 0}>
      <div
        id={id}
        role="grid"
        aria-label={t('search.results')}
        aria-rowcount={items.length}
        style={{ position: 'relative', height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const item = items[index];
          if (!item) return null;
          const { copy, Detail } = sourceOf(item.category) ?? {};
          return (
            <div
              key={`${item.category} ${item.id}`}
              id={`${id}-${index}`}
              role="row"
              aria-rowindex={index + 1}
              aria-selected={index === active}
              className={classes.row}
              style={{ height: ROW_PX, transform: `translateY(${start}px)` }}
              onMouseMove={() => index !== active && onActivate(index)}
              onClick={(event) => {
                if (!(event.target instanceof Element && event.target.closest('button'))) onOpen(item);
              }}
            >
              <span role="gridcell" className={classes.title}>
                {item.title}
              </span>
              {Detail ? (
                <span role="gridcell" className={classes.detail}>
                  <Detail id={item.id} />
                </span>
              ) : null}
              {item.keys ? (
                <span role="gridcell" className={classes.detail}>
                  <Keys keys={item.keys} />
                </span>
              ) : null}
              <span role="gridcell" className={classes.type}>
                {t(`search.types.${item.category}`)}
              </span>
              <span role="gridcell" className={classes.copy}>
                {copy ? <CopyIcon value={item.id} label={t(copy, { name: item.title })} /> : null}
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
