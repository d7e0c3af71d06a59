import type { KpiFigure } from '@albedo/contract/boards/widgets/parts';
import type { Entity } from '@albedo/contract/entities/entities.schema';
import { KPI_LIMITS } from '@albedo/contract/kpis/kpi-limits';
import type { KpiCell, KpiQuestion, KpiRows, KpiRowsQuestion } from '@albedo/contract/kpis/kpis.schema';
import { useQueries } from '@tanstack/react-query';
import { useContext, useMemo } from 'react';
import { titleOf } from '../../../../app/figures/figures.ts';
import { kpiRowsQuery } from '../../../kpis/kpis.queries.ts';
import { InSight, useBoard } from '../../board-context.ts';
import { type NamedKpi, useKpi, useKpiRange } from './use-kpi.ts';

/** One value of a KPI for many entities. */
export interface KpiColumn {
  kpi: NamedKpi;
  units: string;
  /** In the place of each row; null for one that has none. */
  cells: readonly (KpiCell | null)[];
  /** What a row was asked, for where its figure comes from. */
  questionOf: (entity: string) => KpiQuestion;
}

interface Asked {
  column: KpiColumn | null;
  /** How the value is called; null as long as that is not known. */
  title: string | null;
  /** The KPI was deleted, or lost this value. */
  isGone: boolean;
  error: Error | null;
  retry: () => void;
}

/** Asks for all rows together, by the clock of each site. */
export function useKpiRows(
  figure: KpiFigure | undefined,
  rows: readonly Entity[],
  ownRange: string | undefined,
): Asked {
  const { wg, kpis: ofDisplay } = useBoard();
  const isInSight = useContext(InSight);
  const { range, text } = useKpiRange(ownRange);
  const { kpi, isGone, error: kpiError, refetch } = useKpi(figure);
  const queryOf = (entities: string[]) => {
    const { _id, version } = kpi ?? { _id: '', version: 0 };
    const asked = { kpi: _id, value: figure?.value, entities, range: text, timezone: range.timezone };
    return ofDisplay
      ? ofDisplay.rows(version, asked)
      : kpiRowsQuery(wg, { _id, version }, { ...range, entities });
  };
  const parts = useMemo(() => partsOf(rows.map(({ _id }) => _id)), [rows]);
  const { answers, error, retry } = useQueries({
    queries: parts.map((entities) => ({
      ...queryOf(entities),
      enabled: kpi !== undefined && isInSight,
      // The figures of the last minutes stay while the next ones are computed, never those of other entities.
      placeholderData: (last: KpiRows | undefined, of?: { queryKey: readonly unknown[] }) =>
        isOf(of?.queryKey, kpi?._id, entities) ? last : undefined,
    })),
    combine: together,
  });
  const column = useMemo(
    () => (kpi && figure && answers ? columnOf(kpi, figure, rows, answers) : null),
    [kpi, figure, rows, answers],
  );
  const questionOf = useMemo(() => (entity: string) => ({ ...range, entity, detail: true }), [range]);
  return {
    title: kpi && figure ? titleOfFigure(kpi, figure) : null,
    column: useMemo(() => column && { ...column, questionOf }, [column, questionOf]),
    isGone: figure !== undefined && (isGone || (kpi !== undefined && answers !== null && !column)),
    error: kpiError ?? error,
    retry: () => {
      if (kpiError) void refetch();
      else retry();
    },
  };
}

function isOf(key: readonly unknown[] | undefined, kpi: string | undefined, entities: string[]): boolean {
  const [, , id, , asked] = key ?? [];
  return id === kpi && (asked as KpiRowsQuestion | undefined)?.entities.join('\n') === entities.join('\n');
}

function partsOf(ids: readonly string[]): string[][] {
  const { rows } = KPI_LIMITS;
  return Array.from({ length: Math.ceil(ids.length / rows) }, (_, i) => ids.slice(i * rows, (i + 1) * rows));
}

interface Answer {
  data: KpiRows | undefined;
  error: Error | null;
  refetch: () => unknown;
}

/** All of the parts, or none of them as long as one is not there. */
function together(results: readonly Answer[]) {
  const known = results.flatMap(({ data }) => data ?? []);
  const failed = results.filter(({ data, error }) => error && !data);
  return {
    answers: known.length === results.length ? known : null,
    error: failed[0]?.error ?? null,
    retry: () => {
      for (const one of failed) void one.refetch();
    },
  };
}

const titleOfFigure = ({ name, values }: NamedKpi, { value }: KpiFigure): string =>
  value === undefined ? name : titleOf(value, { displayName: values[value]?.displayName ?? '' });

function columnOf(
  kpi: NamedKpi,
  { value }: KpiFigure,
  rows: readonly Entity[],
  answers: readonly KpiRows[],
): Omit<KpiColumn, 'questionOf'> | null {
  const columns = Object.entries(answers[0]?.columns ?? {});
  const found = columns.find(([name, { isPrimary }]) => (value === undefined ? isPrimary : name === value));
  if (!found) return null;
  const [name, { units }] = found;
  const byEntity = new Map(answers.flatMap((one) => one.rows).map((row) => [row.entity, row.values[name]]));
  return {
    ...{ kpi, units },
    cells: rows.map(({ _id }) => byEntity.get(_id) ?? null),
  };
}
