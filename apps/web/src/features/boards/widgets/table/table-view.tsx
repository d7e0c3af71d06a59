import type { SettingsOf } from '@albedo/contract/boards/widgets/widgets';
import type { Entity } from '@albedo/contract/entities/entities.schema';
import { Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IncidentLink } from '../../../../app/incidents/incident-link.tsx';
import { useMayOpenIncidents } from '../../../../app/incidents/incidents-query.ts';
import { askCsv } from '../../../../ui/csv/csv-ask.ts';
import { useBoard } from '../../board-context.ts';
import { textsTogether } from '../../levels.ts';
import { nameOf } from '../../lines.ts';
import type { Origin } from '../../origins.ts';
import { useIncidentsOf } from '../../use-incidents-of.ts';
import type { WidgetProps } from '../../widget.ts';
import { WidgetNote } from '../../widget-error.tsx';
import { KpiOriginDialog, type OriginProps } from '../kpi/kpi-origin.tsx';
import classes from '../list.module.css';
import { OriginDialog } from '../number/origin.tsx';
import { usePlaces, useRows } from '../rows.ts';
import { SaveButton } from '../save-button.tsx';
import { Cell } from './cell.tsx';
import { AskColumn, type ColumnValues } from './column-values.tsx';

/** Entities down, fields and KPIs across; the titles of columns sort. */
export function TableView({ settings, title }: WidgetProps<SettingsOf<'table'>>) {
  const { t } = useTranslation();
  const { openEntity, isDisplay, isEditing } = useBoard();
  const rows = useRows(settings.rows, settings.label);
  const placeOf = usePlaces(rows);
  const [found, setFound] = useState<Record<number, ColumnValues>>({});
  const [origin, setOrigin] = useState<OriginProps | null>(null);
  const [streamOrigin, setStreamOrigin] = useState<{ origin: Origin; title: string } | null>(null);
  const [order, setOrder] = useState<{ column: number; isUp: boolean }>({ column: -1, isUp: true });
  const sorted = useMemo(() => {
    const places = rows.map((_, at) => at);
    const valueAt = (at: number) => found[order.column]?.cells[at]?.value ?? null;
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
  }, [rows, found, order]);
  const { columns } = settings;
  if (columns.length === 0) return <WidgetNote text={t('boards.choose')} />;
  if (rows.length === 0) return <WidgetNote text={t('boards.noRows')} />;
  const names = columns.map(
    (one, at) => one.name ?? found[at]?.title ?? (one.stream ? nameOf(one.stream) : ''),
  );
  const save = () => {
    const table = {
      columns: [
        { title: t('boards.entity') },
        ...names.map((one, i) => ({ title: one, units: found[i]?.units })),
      ],
      rows: rows.map(({ name }, at) => [name, ...columns.map((_, i) => found[i]?.cells[at]?.value ?? null)]),
    };
    askCsv({ title, table: () => table });
  };
  const sortBy = (column: number) =>
    setOrder((old) => ({ column, isUp: old.column === column ? !old.isUp : column < 0 }));
  const sortOf = (column: number) =>
    order.column === column ? (order.isUp ? 'ascending' : 'descending') : undefined;
  const texts = columns.map((column, i) => {
    const { cells = [], units = null } = found[i] ?? {};
    const none = { value: null, units };
    return textsTogether(
      [...cells.map((one) => one ?? none), { ...none, value: column.target ?? null }],
      column,
    );
  });
  const originOf = (column: number, row: Entity, at: number) => {
    if (isDisplay || isEditing) return null;
    const of = found[column]?.originOf?.(row);
    if (of) return { label: t('boards.origin.open', { title: of.title }), onOpen: () => setOrigin(of) };
    const ofStream = found[column]?.streamOriginAt?.(at);
    if (!ofStream) return null;
    const name = `${row.name}: ${names[column]}`;
    return {
      label: t('boards.origin.open', { title: name }),
      onOpen: () => setStreamOrigin({ origin: ofStream, title: name }),
    };
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <div className={classes.scroll} tabIndex={0}>
      {columns.map((column, at) => (
        <AskColumn
          // biome-ignore lint/suspicious/noArrayIndexKey: columns have no names of their own.
          key={at}
          column={column}
          rows={rows}
          range={settings.range}
          onValues={(values) => setFound((old) => (old[at] === values ? old : { ...old, [at]: values }))}
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
                    <Cell
                      of={found[i]?.cells[at]}
                      text={texts[i]?.[at]}
                      targetText={texts[i]?.at(-1)}
                      column={column}
                      origin={originOf(i, row, at)}
                    />
                  </td>
                ))}
              </tr>
            ) : null;
          })}
        </tbody>
      </table>
      <KpiOriginDialog of={origin} onClose={() => setOrigin(null)} />
      {streamOrigin ? (
        <Suspense>
          <OriginDialog
            title={streamOrigin.title}
            origins={[streamOrigin.origin]}
            onClose={() => setStreamOrigin(null)}
          />
        </Suspense>
      ) : null}
    </div>
  );
}

interface EntityButtonProps {
  entity: Entity;
  /** What it is below, where its name alone does not say which one it is. */
  place: string | null;
  onOpen: (id: string) => void;
}

/** The name of an entity, with the sign of what is wrong with it. */
export function EntityButton({ entity, place, onOpen }: EntityButtonProps) {
  const [incident] = useIncidentsOf()(entity._id);
  const mayOpen = useMayOpenIncidents();
  const { isEditing } = useBoard();
  return (
    <span className={classes.named}>
      <button type="button" className={classes.entity} onClick={() => onOpen(entity._id)}>
        {entity.name}
        {place === null ? null : <span className={classes.place}> {place}</span>}
      </button>
      {incident ? <IncidentLink isSign incident={incident} mayOpen={mayOpen && !isEditing} /> : null}
    </span>
  );
}
