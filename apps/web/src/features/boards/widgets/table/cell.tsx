import type { Column } from '@albedo/contract/boards/widgets/parts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { WhyMissing } from '../../../../app/figures/figures.ts';
import { wayOf } from '../../../../ui/energy-flow/grid-way.ts';
import { LevelIcon } from '../../../../ui/status/level-icon.tsx';
import { formatValue } from '../../../../ui/units/units.ts';
import { levelOf, textOf } from '../../levels.ts';
import { ENOUGH } from '../kpi/use-kpi.ts';
import classes from '../list.module.css';

/** What stands in one cell. */
export interface CellValue {
  value: number | string | null;
  units: string | null;
  isStale?: boolean;
  /** Of a KPI: how much of the range is known. */
  coverage?: number | null;
  /** Of a KPI without a value: why there is none. */
  missing?: WhyMissing | null;
}

interface CellProps {
  /** Undefined as long as nothing is known, null where there is none. */
  of: CellValue | null | undefined;
  /** The value in words, and the target of the column in the same unit. */
  text: string | undefined;
  targetText: string | undefined;
  column: Column;
  /** What is opened, in words, where the figure can say where it comes from. */
  origin: { label: string; onOpen: () => void } | null;
}

export function Cell({ of, text, targetText, column, origin }: CellProps): ReactNode {
  const { t } = useTranslation();
  if (of === undefined) return <span className={classes.pending}>…</span>;
  if (of === null || (of.value === null && origin === null))
    return <span className={classes.pending}>–</span>;
  const { value, isStale = false, coverage = null, missing = null } = of;
  const { target, thresholds } = column;
  const level = levelOf(value, thresholds);
  const shown = (
    <span data-level={level ?? undefined} data-stale={isStale} className={classes.cell}>
      {level && level !== 'ok' ? <LevelIcon mark={level} size={12} /> : null}
      {value === null ? '–' : text}
    </span>
  );
  const way = wayOf(column.stream?.role, value);
  const share = target && typeof value === 'number' ? value / target : null;
  const facts = [
    ...(share === null || target === undefined
      ? []
      : [
          t('boards.ofTarget', {
            percent: textOf(share * 100, '%', { decimals: 0 }),
            target: targetText,
          }),
        ]),
    ...(way ? [t(`plants.flow.${way}`)] : []),
    ...(missing ? [t(`kpis.why.${missing}`)] : []),
    ...(missing || coverage === null || coverage >= ENOUGH
      ? []
      : [t('boards.kpi.knownShort', { share: formatValue(coverage * 100, '%') })]),
  ];
  return (
    <>
      {origin ? (
        <button type="button" className={classes.origin} title={origin.label} onClick={origin.onOpen}>
          {shown}
        </button>
      ) : (
        shown
      )}
      {facts.length > 0 ? <span className={classes.facts}>{facts.join(' · ')}</span> : null}
    </>
  );
}
