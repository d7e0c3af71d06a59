import type { Column } from '@albedo/contract/boards/widgets/parts';
import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import type { Entity } from '@albedo/contract/entities/entities.schema';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../../../../ui/data-table/csv.ts';
import { LevelIcon } from '../../../../ui/status/level-icon.tsx';
import { csvCell } from '../../../../ui/time-series-chart/chart-export.ts';
import { useBoard } from '../../board-context.ts';
import { levelOf, textOf } from '../../levels.ts';
import { nameOf } from '../../lines.ts';
import { type Figure, useFigures } from '../../use-figures.ts';
import type { WidgetProps } from '../../widget.ts';
import { WidgetFailure, WidgetNote } from '../../widget-error.tsx';
import classes from '../list.module.css';
import { useLinesOfRows, usePlaces, useRows } from '../rows.ts';
import { SaveButton } from '../save-button.tsx';

/** Entities down, fields across; the titles of columns sort. */
export function TableView({ settings, title }: WidgetProps<SettingsOf<'table'>>) {
  const { t } = useTranslation();
  const { openEntity } = useBoard();
  const rows = useRows(settings.rows, settings.label);
  const placeOf = usePlaces(rows);
  const [figures, setFigures] = useState<Record<number, readonly (Figure | null)[]>>({});
  const [order, setOrder] = useState<{ column: number; isUp: boolean }>({ column: -1, isUp: true });
  const sorted = useMemo(() => {
    const places = rows.map((_, at) => at);
    const valueAt = (at: number) => figures[order.column]?.[at]?.value ?? null;
    const way = order.isUp ? 1 : -1;
    if (order.column < 0) return order.isUp ? places : places.reverse();
    return places.toSorted((a, b) => {
      const [one, other] = [valueAt(a), valueAt(b)];
      if (one === null || other === null) return Number(one === null) - Number(other === null);
      return (
        way *
        (typeof one === 'number' && typeof other === 'number'
          ? one - other
          : String(one).localeCompare(String(other)))
      );
    });
  }, [rows, figures, order]);
  const { columns } = settings;
  if (columns.length === 0) return <WidgetNote text={t('boards.choose')} />;
  if (rows.length === 0) return <WidgetNote text={t('boards.noRows')} />;
  const names = columns.map((one) => one.name ?? nameOf(one.stream));
  const save = () => {
    const lines = rows.map(({ name }, at) => [
      name,
      ...columns.map((_, i) => String(figures[i]?.[at]?.value ?? '')),
    ]);
    const units = columns.map((_, i) => figures[i]?.find((one) => one)?.line.units);
    const head = [t('boards.entity'), ...names.map((name, i) => (units[i] ? `${name} [${units[i]}]` : name))];
    const text = [head, ...lines].map((line) => line.map(csvCell).join(',')).join('\r\n');
    saveFile(`${title}.csv`, new Blob([`${text}\r\n`], { type: 'text/csv;charset=utf-8' }));
  };
  const sortBy = (column: number) =>
    setOrder((old) => ({ column, isUp: old.column === column ? !old.isUp : column < 0 }));
  const sortOf = (column: number) =>
    order.column === column ? (order.isUp ? 'ascending' : 'descending') : undefined;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <div className={classes.scroll} tabIndex={0}>
      {columns.map((column, at) => (
        <ColumnValues
          // biome-ignore lint/suspicious/noArrayIndexKey: columns have no names of their own.
          key={at}
          column={column}
          rows={rows}
          range={settings.range}
          onValues={(values) => setFigures((old) => (old[at] === values ? old : { ...old, [at]: values }))}
        />
      ))}
      <SaveButton title={title} onSave={save} />
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col" aria-sort={sortOf(-1)}>
              <button type="button" onClick={() => sortBy(-1)}>
                {t('boards.entity')}
              </button>
            </th>
            {names.map((name, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no names of their own.
              <th key={at} scope="col" aria-sort={sortOf(at)}>
                <button type="button" onClick={() => sortBy(at)}>
                  {name}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((at) => {
            const row = rows[at];
            return row ? (
              <tr key={row._id}>
                <th scope="row">
                  <EntityButton entity={row} place={placeOf(row)} onOpen={openEntity} />
                </th>
                {columns.map((column, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns have no names of their own.
                  <td key={i}>
                    <Cell figure={figures[i]?.[at]} column={column} />
                  </td>
                ))}
              </tr>
            ) : null;
          })}
        </tbody>
      </table>
    </div>
  );
}

interface EntityButtonProps {
  entity: Entity;
  /** What it is below, where its name alone does not say which one it is. */
  place: string | null;
  onOpen: (id: string) => void;
}

export function EntityButton({ entity, place, onOpen }: EntityButtonProps) {
  return (
    <button type="button" className={classes.entity} onClick={() => onOpen(entity._id)}>
      {entity.name}
      {place === null ? null : <span className={classes.place}> {place}</span>}
    </button>
  );
}

function Cell({ figure, column }: { figure: Figure | null | undefined; column: Column }): ReactNode {
  if (figure === undefined) return <span className={classes.pending}>…</span>;
  if (figure === null || figure.value === null) return <span className={classes.pending}>–</span>;
  const level = levelOf(figure.value, column.thresholds);
  const units = column.function === 'count' ? null : figure.line.units;
  return (
    <span data-level={level ?? undefined} data-stale={figure.isStale} className={classes.cell}>
      {level && level !== 'ok' ? <LevelIcon mark={level} size={12} /> : null}
      {textOf(figure.value, units, column)}
    </span>
  );
}

/** Asks for one column and hands its values up: columns answer by themselves. */
function ColumnValues(props: {
  column: Column;
  rows: readonly Entity[];
  range: string | undefined;
  onValues: (values: readonly (Figure | null)[]) => void;
}) {
  const { column, rows, range, onValues } = props;
  const byRow = useLinesOfRows(rows, column.stream);
  const lines = useMemo(() => byRow.filter((line) => line !== null), [byRow]);
  const { figures, isPending, error, retry } = useFigures({ lines, fn: column.function, range });
  const values = useMemo(() => {
    const byKey = new Map(figures.map((one) => [one.line.key, one]));
    return byRow.map((line) => (line ? (byKey.get(line.key) ?? null) : null));
  }, [figures, byRow]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: told when there are others.
  useEffect(() => {
    if (!isPending) onValues(values);
  }, [values, isPending]);
  return error ? <WidgetFailure error={error} onRetry={retry} /> : null;
}
