import type { BoardStream } from '@albedo/contract/boards/streams.schema';
import type { Column, KpiFigure } from '@albedo/contract/boards/widgets/parts';
import type { Entity } from '@albedo/contract/entities/entities.schema';
import { useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { whyMissing } from '../../../../app/figures/figures.ts';
import { nameOf } from '../../lines.ts';
import type { Origin } from '../../origins.ts';
import { useFigures } from '../../use-figures.ts';
import { WidgetFailure } from '../../widget-error.tsx';
import type { OriginProps } from '../kpi/kpi-origin.tsx';
import { useKpiRows } from '../kpi/use-kpi-rows.ts';
import classes from '../list.module.css';
import { useLinesOfRows } from '../rows.ts';
import type { CellValue } from './cell.tsx';

/** What a column came to. */
export interface ColumnValues {
  title: string;
  /** In the place of each row; nothing as long as nothing is known. */
  cells: readonly (CellValue | null)[];
  units: string | null;
  originOf?: (row: Entity) => OriginProps;
  /** Of a stream: where the figure of a row, by its place, comes from. */
  streamOriginAt?: (at: number) => Origin | null;
}

const NONE: ColumnValues['cells'] = [];

interface AskProps {
  column: Column;
  rows: readonly Entity[];
  range: string | undefined;
  onValues: (values: ColumnValues) => void;
}

/** Asks for one column and hands its values up: columns answer by themselves. */
export function AskColumn(props: AskProps) {
  const { stream, figure } = props.column;
  if (stream) return <AskStream {...props} stream={stream} />;
  return figure ? <AskKpi {...props} figure={figure} /> : null;
}

function AskStream({ column, rows, range, onValues, stream }: AskProps & { stream: BoardStream }) {
  const byRow = useLinesOfRows(rows, stream);
  const lines = useMemo(() => byRow.filter((line) => line !== null), [byRow]);
  const { function: fn, name } = column;
  const { figures, isPending, error, retry } = useFigures({ lines, fn, range });
  const values = useMemo((): ColumnValues => {
    const title = name ?? nameOf(stream);
    if (isPending) return { title, cells: NONE, units: null };
    const byKey = new Map(figures.map((one) => [one.line.key, one]));
    const cells = byRow.map((line) => {
      const found = line && byKey.get(line.key);
      if (!found) return null;
      return { value: found.value, units: fn === 'count' ? null : found.line.units, isStale: found.isStale };
    });
    const streamOriginAt = (at: number) => {
      const line = byRow[at];
      return line ? { lines: [line], fn, range } : null;
    };
    return { title, cells, units: cells.find((one) => one)?.units ?? null, streamOriginAt };
  }, [figures, byRow, isPending, fn, name, stream, range]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: told when there are others.
  useEffect(() => {
    onValues(values);
  }, [values]);
  return error ? <WidgetFailure error={error} onRetry={retry} /> : null;
}

function AskKpi({ column, rows, range, onValues, figure }: AskProps & { figure: KpiFigure }) {
  const { t } = useTranslation();
  const { column: found, title: ofKpi, isGone, error, retry } = useKpiRows(figure, rows, range);
  const title = column.name ?? ofKpi ?? t('boards.kpi.which');
  const values = useMemo((): ColumnValues => {
    // Nothing will come; that is said below, and the cells stop waiting.
    if (isGone) return { title, cells: rows.map(() => null), units: null };
    if (!found) return { title, cells: NONE, units: null };
    const { kpi, units, questionOf } = found;
    return {
      ...{ title, units },
      cells: found.cells.map(
        (one) => one && { value: one.value, units, coverage: one.coverage, missing: whyMissing(one) },
      ),
      originOf: (row) => ({ kpi, question: questionOf(row._id), title: `${row.name}: ${title}` }),
    };
  }, [found, isGone, title, rows]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: told when there are others.
  useEffect(() => {
    onValues(values);
  }, [values]);
  if (isGone) return <p className={classes.hint}>{t('boards.kpi.columnGone', { name: title })}</p>;
  return error && !found ? <WidgetFailure error={error} onRetry={retry} /> : null;
}
