// biome-ignore-all lint/a11y/useSemanticElements: only the rows in sight are drawn, which a table element cannot express.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is the one stop of the keyboard; rows and cells are not.
import { Button, Checkbox } from '@mantine/core';
import { functionalUpdate, useTable } from '@tanstack/react-table';
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type UIEvent,
  useDeferredValue,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState, SkeletonRows } from '../states.tsx';
import { collator } from '../units/locale.ts';
import { formatWhole } from '../units/numbers.ts';
import { useIsNarrow } from '../use-is-narrow.ts';
import { useIsTouched } from '../use-is-touched.ts';
import { Body } from './body.tsx';
import { BulkBar } from './bulk-bar.tsx';
import type { Column } from './column.ts';
import { ColumnMenu } from './column-menu.tsx';
import classes from './data-table.module.css';
import { type Features, features } from './features.ts';
import { findRows } from './find-rows.ts';
import { HeaderCell } from './header-cell.tsx';
import { TableSearch, type TableSearchProps } from './table-search.tsx';
import { useColumnsMemory } from './use-columns-memory.ts';
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
  /** Takes the place of the file of what is shown, where the server knows of more. */
  download?: ReactNode;
  /** Stands in place of the rows when there are none. */
  empty: ReactNode;
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
const ACTIONS_PX = 44;
const LAST_PX = 120;
const TICK_PX = 40;
const NONE: never[] = [];

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
  const isNarrow = useIsNarrow() && props.narrow !== undefined;
  const [memory, setMemory] = useColumnsMemory(name, columns);
  const [activeId, setActiveId] = useState<string | null>(null);
  const [isScrolling, setScrolling] = useState(false);
  const q = useDeferredValue(find?.q ?? '');
  const found = useMemo(() => findRows(columns, all, q), [columns, all, q]);
  const rows = useHeld(found, isScrolling);

  const definitions = useMemo(
    () =>
      columns.map((column) => ({
        id: column.id,
        // An undefined value stands last, whichever way the column is sorted.
        accessorFn: (row: T) => column.value(row) ?? undefined,
        header: column.title,
        size: column.width,
        minSize: 56,
        enableHiding: column.isFixed !== true,
        sortUndefined: 'last' as const,
        sortFn: compare,
      })),
    [columns],
  );
  const sorting = useMemo(
    () => (sort ? [{ id: sort.replace(/^-/, ''), desc: sort.startsWith('-') }] : []),
    [sort],
  );
  const table = useTable<Features, T>({
    features,
    columns: definitions,
    data: rows,
    getRowId: rowId,
    columnResizeMode: 'onChange',
    enableSortingRemoval: false,
    enableMultiSort: false,
    state: { sorting, columnVisibility: memory.visibility, columnSizing: memory.sizing },
    onSortingChange: (update) => {
      const next = functionalUpdate(update, sorting)[0];
      props.onSort(next ? `${next.desc ? '-' : ''}${next.id}` : null);
    },
    onColumnVisibilityChange: (update) =>
      setMemory({ visibility: functionalUpdate(update, memory.visibility) as Record<string, boolean> }),
    onColumnSizingChange: (update) => setMemory({ sizing: functionalUpdate(update, memory.sizing) }),
  });

  const sorted = table.getRowModel().rows;
  const bulk = isNarrow ? undefined : props.bulk;
  const { ticked, tick, tickAll } = useTicks();
  // What is not shown is not acted on.
  const chosen = useMemo(
    () => (bulk ? sorted.filter(({ id: rowId }) => ticked.has(rowId)).map(({ original }) => original) : []),
    [bulk, sorted, ticked],
  );
  const shown = useMemo(
    () => columns.filter((column) => memory.visibility[column.id] !== false),
    [columns, memory.visibility],
  );
  const wideRowPx = useIsTouched() ? TOUCHED_ROW_PX : ROW_PX;
  const rowPx = isNarrow ? NARROW_ROW_PX : wideRowPx;
  const reveal = useRef<((index: number) => void) | null>(null);

  const activeIndex = activeId === null ? -1 : sorted.findIndex((row) => row.id === activeId);
  function handleKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    if (event.target !== event.currentTarget) return;
    const active = sorted[activeIndex];
    if (event.key === 'Enter' && active) props.onOpen?.(active.original);
    if (event.key === ' ' && active && bulk) {
      event.preventDefault();
      tick(active.id, !ticked.has(active.id));
    }
    const target = targetIndex(
      event.key,
      activeIndex,
      sorted.length,
      Math.floor((scroller?.clientHeight ?? 0) / rowPx) - 1,
    );
    const next = target === null ? undefined : sorted[target];
    if (!next || target === null) return;
    event.preventDefault();
    setActiveId(next.id);
    reveal.current?.(target);
  }

  const headers = table.getHeaderGroups()[0]?.headers ?? [];
  // What is left, as long as nobody gave the last one a width: its end may be cut, the menu of the row may not.
  const last = headers.at(-1);
  const lastPx = last && (memory.sizing[last.id] ?? Math.min(last.getSize(), LAST_PX));
  const widths = headers.map((header) => `${header.getSize()}px`);
  const tickPx = bulk ? TICK_PX : 0;
  const template = `${bulk ? `${TICK_PX}px ` : ''}${widths.slice(0, -1).join(' ')} minmax(${lastPx}px, 1fr)${actions ? ` ${ACTIONS_PX}px` : ''}`;
  const total = headers
    .slice(0, -1)
    .reduce((sum, header) => sum + header.getSize(), (lastPx ?? 0) + (actions ? ACTIONS_PX : 0) + tickPx);

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
          isNarrow={isNarrow}
          download={props.download}
          columns={columns}
          visibility={memory.visibility}
          onChange={(visibility) => setMemory({ visibility })}
          onReset={() =>
            setMemory({
              visibility: Object.fromEntries(columns.map((c) => [c.id, c.isHidden !== true])),
              sizing: {},
            })
          }
          csv={{ name, columns: shown, rows: () => sorted.map((row) => row.original) }}
        />
      </div>
      <div
        ref={setScroller}
        role="grid"
        aria-label={props.label}
        aria-busy={props.rows === undefined}
        aria-rowcount={sorted.length + 1}
        aria-colcount={shown.length + (actions ? 1 : 0) + (bulk ? 1 : 0)}
        aria-multiselectable={bulk !== undefined}
        {...(activeIndex >= 0 ? { 'aria-activedescendant': `${id}-${activeId}` } : {})}
        tabIndex={0}
        className={classes.scroll}
        style={{ '--dt-columns': template, '--dt-row': `${wideRowPx}px` } as CSSProperties}
        onKeyDown={handleKeyDown}
        onScroll={markShifted}
      >
        <div role="rowgroup" className={isNarrow ? classes.unseen : classes.head} style={{ minWidth: total }}>
          <div role="row" aria-rowindex={1} className={classes.headRow}>
            {bulk ? (
              <div role="columnheader" className={classes.tick}>
                <Checkbox
                  size="xs"
                  aria-label={t('table.tickAll')}
                  disabled={sorted.length === 0}
                  checked={chosen.length > 0 && chosen.length === sorted.length}
                  indeterminate={chosen.length > 0 && chosen.length < sorted.length}
                  onChange={(event) =>
                    tickAll(event.currentTarget.checked ? sorted.map(({ id: rowId }) => rowId) : [])
                  }
                />
              </div>
            ) : null}
            {headers.map((header) => (
              <HeaderCell<T>
                key={header.id}
                header={header}
                column={columns.find((one) => one.id === header.id)}
              />
            ))}
            {actions ? (
              <div role="columnheader" className={classes.headActions}>
                <span className={classes.unseen}>{t('table.actions')}</span>
              </div>
            ) : null}
          </div>
        </div>
        {sorted.length === 0 ? (
          // A grid has nothing but rows and cells in it.
          <div role="rowgroup">
            <div role="row" aria-rowindex={2}>
              <div
                role="gridcell"
                aria-colspan={shown.length + (actions ? 1 : 0) + (bulk ? 1 : 0)}
                className={classes.empty}
                data-is-loading={props.rows === undefined}
              >
                {props.rows === undefined ? (
                  <SkeletonRows columns={isNarrow ? undefined : shown.length} hasTick={bulk !== undefined} />
                ) : all.length === 0 || !find ? (
                  props.empty
                ) : (
                  <EmptyState title={t('table.none')} text={t('table.noneText', { text: q.trim() })}>
                    <Button variant="default" onClick={() => find.setQ('')}>
                      {t('table.clearSearch')}
                    </Button>
                  </EmptyState>
                )}
              </div>
            </div>
          </div>
        ) : null}
        <Body
          id={id}
          rows={sorted}
          columns={shown}
          heightPx={rowPx}
          widthPx={isNarrow ? 0 : total}
          headPx={isNarrow ? 0 : wideRowPx}
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
    </section>
  );
}

/**
 * The value, or the one from before as long as it is held: while somebody scrolls, nothing is sorted anew and no row
 * moves away from under the finger.
 */
function useHeld<V>(value: V, isHeld: boolean): V {
  const [held, setHeld] = useState(value);
  if (!isHeld && held !== value) setHeld(value);
  return isHeld ? held : value;
}

/** Told to the style sheet alone: drawing the table anew for it would cost a frame. */
function markShifted({ currentTarget }: UIEvent<HTMLDivElement>): void {
  currentTarget.toggleAttribute('data-shifted', currentTarget.scrollLeft > 0);
}

interface Valued {
  getValue: (columnId: string) => unknown;
}

function compare(a: Valued, b: Valued, columnId: string): number {
  const [left, right] = [a.getValue(columnId), b.getValue(columnId)];
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return collator().compare(String(left), String(right));
}

function targetIndex(key: string, from: number, count: number, page: number): number | null {
  const targets: Record<string, number> = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + page,
    PageUp: from - page,
    Home: 0,
    End: count - 1,
  };
  const target = targets[key];
  return target === undefined || count === 0 ? null : Math.max(0, Math.min(count - 1, target));
}
