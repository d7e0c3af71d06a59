// biome-ignore-all lint/a11y/useSemanticElements: only the rows in sight are drawn, which a table element cannot express.
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
} from 'react';
import type { Column } from './column.ts';
import classes from './data-table.module.css';
import { Row } from './row.tsx';

interface BodyProps<T> {
  /** Begins the ids of the rows. */
  id: string;
  rows: readonly { id: string; original: T }[];
  columns: readonly Column<T>[];
  /** Of one row. */
  heightPx: number;
  /** Of all columns together. */
  widthPx: number;
  /** What the head covers of the rows. */
  headPx: number;
  scroller: HTMLDivElement | null;
  /** Brings the row of that index into sight. */
  reveal: RefObject<((index: number) => void) | null>;
  onScrolling: (isScrolling: boolean) => void;
  activeId: string | null;
  /** Ids of the rows that are ticked; null where none can be. */
  ticked: ReadonlySet<string> | null;
  tickLabel: ((row: T) => string) | undefined;
  onTick: (rowId: string, isTicked: boolean) => void;
  onActivate: (rowId: string) => void;
  onOpen: ((row: T) => void) | undefined;
  actions: ((row: T) => ReactNode) | undefined;
  narrow: ((row: T) => ReactNode) | undefined;
}

/** The rows in sight and a few around them. Scrolling draws only this: head, sorting and tools stay as they are. */
export const Body = memo(DrawBody) as typeof DrawBody;

function DrawBody<T>({ rows, heightPx, widthPx, scroller, reveal, onScrolling, ...props }: BodyProps<T>) {
  // Its identity tells the virtualizer that rows moved, and makes it go over all of them.
  const keyOf = useCallback((index: number) => rows[index]?.id ?? index, [rows]);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: () => heightPx,
    getItemKey: keyOf,
    overscan: 8,
    onChange: ({ isScrolling }) => onScrolling(isScrolling),
    scrollPaddingStart: props.headPx,
  });
  // Heights are kept from row to row; a phone that was turned has others.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height is what makes the kept ones wrong.
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, heightPx]);
  useImperativeHandle(reveal, () => (index) => virtualizer.scrollToIndex(index), [virtualizer]);
  const style: CSSProperties = { height: virtualizer.getTotalSize(), minWidth: widthPx };
  return (
    <div role="rowgroup" className={classes.body} style={style}>
      {virtualizer.getVirtualItems().map((item) => {
        const row = rows[item.index];
        return row ? (
          <Row
            key={item.key}
            id={`${props.id}-${row.id}`}
            row={row.original}
            rowId={row.id}
            index={item.index}
            top={item.start}
            height={heightPx}
            columns={props.columns}
            isActive={row.id === props.activeId}
            isTicked={props.ticked?.has(row.id)}
            tickLabel={props.tickLabel}
            onTick={props.onTick}
            onActivate={props.onActivate}
            onOpen={props.onOpen}
            actions={props.actions}
            narrow={props.narrow}
          />
        ) : null;
      })}
    </div>
  );
}
