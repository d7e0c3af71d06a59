// biome-ignore-all lint/a11y/useSemanticElements: only the rows in sight are drawn, which a table element cannot express.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is the one stop of the keyboard; rows and cells are not.
import {
  type CSSProperties,
  type ReactNode,
  startTransition,
  useCallback,
  useDeferredValue,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { formatWhole } from '../units/numbers.ts';
import { useEdges } from '../use-edges.ts';
import { useIsNarrow } from '../use-is-narrow.ts';
import { useIsTouched } from '../use-is-touched.ts';
import { Body } from './body.tsx';
import { BulkBar } from './bulk-bar.tsx';
import type { Column } from './column.ts';
import { ColumnMenu } from './column-menu.tsx';
import { ACTIONS_PX, columnWidths, TICK_PX } from './column-widths.ts';
import classes from './data-table.module.css';
import { findRows } from './find-rows.ts';
import { NoRows } from './no-rows.tsx';
import { TableHead } from './table-head.tsx';
import { TableSearch, type TableSearchProps } from './table-search.tsx';
import { useActiveRow } from './use-active-row.ts';
import { useColumnsMemory } from './use-columns-memory.ts';
import { useFittingColumns, useWidth } from './use-fitting-columns.ts';
import { useKeptOrder } from './use-kept-order.ts';
import { useSortedTable } from './use-sorted-table.ts';
import { useTicks } from './use-ticks.ts';

export interface DataTableProps<T> {
  /** What the rows are, for people who cannot see them. */
  label: string;
  /** Has to stay the same list as long as nothing about the columns changes. */
  columns: readonly Column<T>[];
  /**
   * Rows keep their identity while they do not change: only new objects are drawn again. Undefined while they are not
   * there yet.
   */
  rows: T[] | undefined;
  rowId: (row: T) => string;
  /** Column id, with a minus in front for descending. */
  sort: string | null;
  onSort: (sort: string | null) => void;
  /** Name under which the browser remembers columns, and of the CSV file. */
  name: string;
  /** A field that finds rows by any of their texts. */
  find?: TableSearchProps;
  /** Search and filters, left of the column menu. */
  toolbar?: ReactNode;
  /** Columns are chosen elsewhere: all that are given are shown. */
  hasOwnColumns?: boolean;
  /** Takes the place of the file of what is shown, where the server knows of more. */
  download?: ReactNode;
  /** Stands in place of the rows when there are none. */
  empty: ReactNode;
  /** Rows that stay at the end, such as devices that never reported. The same function on every render. */
  isLast?: (row: T) => boolean;
  /** Enter on a row, or a click on it. */
  onOpen?: (row: T) => void;
  /** The last cell of a row: usually its menu. Has to be the same function over time. */
  actions?: (row: T) => ReactNode;
  /** What can be done with several rows at once: rows can be ticked then, on a screen that is not narrow. */
  bulk?: {
    /** Name of the tick of a row. Has to be the same function over time. */
    label: (row: T) => string;
    /** Buttons for the rows that are ticked. */
    actions: (rows: T[], untick: () => void) => ReactNode;
  };
  /** The row on a narrow screen, two lines high. Has to be the same function over time. */
  narrow?: (row: T) => ReactNode;
}

const ROW_PX = 36;
/** A thumb needs more room than a pointer. */
const TOUCHED_ROW_PX = 44;
const NARROW_ROW_PX = 60;
/** Of a bar that scrolls, at most. */
const BAR_PX = 17;
const BORDERS_PX = 3;
const NONE: never[] = [];
/** The first table of a visit comes with the whole app: its rows are drawn after its frame, not in the same long task. */
let isFirstTable = true;

/**
 * A table for any number of rows: only those in sight are drawn.
 *
 * Keyboard: the table is one stop; arrows, Page Up/Down, Home and End move over the rows, Enter opens one, Space ticks it.
 */
export function DataTable<T extends object>(props: DataTableProps<T>) {
  const { columns, rowId, sort, name, actions, find, rows: all = NONE as T[] } = props;
  const { t } = useTranslation();
  const id = useId();
  // In the state, since the rows can only be measured once it is there.
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const edges = useEdges<HTMLDivElement>();
  const takeScroller = useCallback(
    (element: HTMLDivElement | null) => {
      if (isFirstTable) startTransition(() => setScroller(element));
      else setScroller(element);
      isFirstTable = false;
      const stop = edges(element);
      return () => {
        setScroller(null);
        stop?.();
      };
    },
    [edges],
  );
  const isNarrow = useIsNarrow() && props.narrow !== undefined;
  const [memory, setMemory] = useColumnsMemory(name);
  const [isScrolling, setScrolling] = useState(false);
  const q = useDeferredValue(find?.q ?? '');
  const found = useMemo(() => findRows(columns, all, q), [columns, all, q]);
  const rows = useHeld(found, isScrolling);

  const bulk = isNarrow ? undefined : props.bulk;
  const has = { tick: bulk !== undefined, actions: actions !== undefined };
  const widthPx = useWidth(scroller);
  const aroundPx = (has.tick ? TICK_PX : 0) + (has.actions ? ACTIONS_PX : 0);
  const { sizing } = memory;
  const { visibility, widths, leftOut } = useFittingColumns({
    columns,
    choices: memory.visibility,
    sizing,
    rows: all,
    // If the columns are chosen elsewhere, all of them are shown and the table scrolls.
    roomPx: widthPx === null || props.hasOwnColumns ? null : widthPx - aroundPx,
  });
  const table = useSortedTable({
    columns,
    rows,
    rowId,
    sort,
    onSort: props.onSort,
    visibility,
    widths,
    sizing,
    setMemory,
  });
  const isLive = columns.some(({ id, isLive: is }) => is === true && id === sort?.replace(/^-/, ''));
  const model = table.getRowModel().rows;
  const { isLast } = props;
  const ordered = useMemo(() => {
    const last = isLast ? model.filter(({ original }) => isLast(original)) : [];
    return last.length === 0 ? model : [...model.filter(({ original }) => !isLast?.(original)), ...last];
  }, [model, isLast]);
  const { rows: sorted, isOutdated, renew } = useKeptOrder(ordered, `${sort} ${q}`, isLive);
  const { ticked, tick, tickAll } = useTicks();
  // What is not shown is not acted on.
  const chosen = useMemo(
    () => (bulk ? sorted.filter(({ id: rowId }) => ticked.has(rowId)).map(({ original }) => original) : []),
    [bulk, sorted, ticked],
  );
  const shown = useMemo(
    () => columns.filter((column) => visibility[column.id] !== false),
    [columns, visibility],
  );
  const wideRowPx = useIsTouched() ? TOUCHED_ROW_PX : ROW_PX;
  const rowPx = isNarrow ? NARROW_ROW_PX : wideRowPx;
  const reveal = useRef<((index: number) => void) | null>(null);

  const { activeId, setActiveId, handleKeyDown } = useActiveRow({
    name,
    grid: scroller,
    rows: sorted,
    inSight: () => Math.floor((scroller?.clientHeight ?? 0) / rowPx),
    reveal: (index) => reveal.current?.(index),
    onOpen: props.onOpen,
    onTick: bulk && ((one) => tick(one, !ticked.has(one))),
  });

  const headers = table.getHeaderGroups()[0]?.headers ?? [];
  const isFitted = Object.keys(widths).length > 0;
  const { template, totalPx } = columnWidths(headers, sizing, has, isFitted);
  // It ends with its rows; a bar to scroll sideways needs its own room.
  const headPx = isNarrow ? 0 : wideRowPx;
  const barPx = !isNarrow && widthPx !== null && totalPx > widthPx ? BAR_PX : 0;
  const room = sorted.length > 0 ? `0 1 ${headPx + sorted.length * rowPx + barPx + BORDERS_PX}px` : undefined;
  const cells = shown.length + (has.actions ? 1 : 0) + (has.tick ? 1 : 0);

  return (
    <section className={classes.frame} aria-label={props.label}>
      <div className={classes.toolbar}>
        <div className={classes.tools}>
          {find ? <TableSearch {...find} /> : null}
          {find && all.length > 0 && chosen.length === 0 ? (
            <span className={classes.count} data-is-idle={q.trim() === ''} aria-live="polite">
              {q.trim() === ''
                ? t('table.inAll', { all: formatWhole(all.length) })
                : t('table.found', {
                    found: formatWhole(found.length),
                    all: formatWhole(all.length),
                  })}
            </span>
          ) : null}
          {bulk && chosen.length > 0 ? (
            <BulkBar count={chosen.length} onUntick={() => tickAll([])}>
              {bulk.actions(chosen, () => tickAll([]))}
            </BulkBar>
          ) : (
            props.toolbar
          )}
        </div>
        <ColumnMenu
          isNarrow={isNarrow || props.hasOwnColumns === true}
          download={props.download}
          columns={columns}
          visibility={visibility}
          leftOut={leftOut}
          onChange={(id, isShown) => setMemory({ visibility: { ...memory.visibility, [id]: isShown } })}
          onReset={() => setMemory({ visibility: {}, sizing: {} })}
          onSortAgain={isLive ? renew : undefined}
          isOutdated={isOutdated}
          csv={{ title: props.label, columns: shown, rows: () => sorted.map((row) => row.original) }}
        />
      </div>
      <div
        className={classes.edges}
        data-has-actions={has.actions && !isNarrow}
        data-is-empty={sorted.length === 0}
        style={{ flex: room }}
      >
        <div
          ref={takeScroller}
          role="grid"
          aria-label={props.label}
          aria-busy={props.rows === undefined}
          aria-rowcount={sorted.length + 1}
          aria-colcount={cells}
          aria-multiselectable={has.tick}
          {...(activeId === null ? {} : { 'aria-activedescendant': `${id}-${activeId}` })}
          tabIndex={0}
          className={classes.scroll}
          style={{ '--dt-columns': template, '--dt-row': `${wideRowPx}px` } as CSSProperties}
          onKeyDown={handleKeyDown}
          data-scroll-restoration-id={`table-${name}`}
        >
          <TableHead
            headers={headers}
            columns={columns}
            widthPx={totalPx}
            isUnseen={isNarrow}
            hasActions={has.actions}
            ticks={
              bulk && {
                chosen: chosen.length,
                rows: sorted.length,
                onAll: (isTicked) => tickAll(isTicked ? sorted.map(({ id: rowId }) => rowId) : []),
              }
            }
          />
          {sorted.length === 0 ? (
            <NoRows
              isLoading={props.rows === undefined}
              columns={isNarrow ? undefined : shown.length}
              hasTick={has.tick}
              span={cells}
              search={find && all.length > 0 ? { ...find, q } : undefined}
              empty={props.empty}
            />
          ) : null}
          <Body
            id={id}
            rows={sorted}
            columns={shown}
            heightPx={rowPx}
            widthPx={isNarrow ? 0 : totalPx}
            headPx={headPx}
            scroller={scroller}
            reveal={reveal}
            onScrolling={setScrolling}
            activeId={activeId}
            ticked={bulk ? ticked : null}
            tickLabel={bulk?.label}
            onTick={tick}
            onActivate={setActiveId}
            onOpen={props.onOpen}
            actions={actions}
            narrow={isNarrow ? props.narrow : undefined}
          />
        </div>
      </div>
    </section>
  );
}

/**
 * The value, or the one from before as long as it is held: while somebody scrolls, nothing is sorted again and no row
 * moves away from under the finger.
 */
function useHeld<V>(value: V, isHeld: boolean): V {
  const [held, setHeld] = useState(value);
  if (!isHeld && held !== value) setHeld(value);
  return isHeld ? held : value;
}
