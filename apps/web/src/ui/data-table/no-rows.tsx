// biome-ignore-all lint/a11y/useSemanticElements: only the rows in sight are drawn, which a table element cannot express.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is the one stop of the keyboard; rows and cells are not.
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState, SkeletonRows } from '../states.tsx';
import classes from './data-table.module.css';
import type { TableSearchProps } from './table-search.tsx';

interface NoRowsProps {
  isLoading: boolean;
  /** Columns of the rows that come; undefined for rows of two lines. */
  columns: number | undefined;
  hasTick: boolean;
  /** All cells of a row. */
  span: number;
  /** The search, where it left nothing of what there is. */
  search: TableSearchProps | undefined;
  empty: ReactNode;
}

/** What stands in place of the rows. A grid has nothing but rows and cells in it. */
export function NoRows({ isLoading, columns, hasTick, span, search, empty }: NoRowsProps) {
  const { t } = useTranslation();
  return (
    <div role="rowgroup">
      <div role="row" aria-rowindex={2}>
        <div role="gridcell" aria-colspan={span} className={classes.empty} data-is-loading={isLoading}>
          {isLoading ? (
            <SkeletonRows columns={columns} hasTick={hasTick} />
          ) : search ? (
            <EmptyState title={t('table.none')} text={t('table.noneText', { text: search.q.trim() })}>
              <Button variant="default" onClick={() => search.setQ('')}>
                {t('table.clearSearch')}
              </Button>
            </EmptyState>
          ) : (
            empty
          )}
        </div>
      </div>
    </div>
  );
}
