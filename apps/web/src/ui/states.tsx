import { Button, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from './message-of.ts';
import classes from './states.module.css';
import { LevelIcon } from './status/level-icon.tsx';

interface EmptyStateProps {
  /** What would be here. */
  title: string;
  /** Why it is not. */
  text?: string;
  /** The next step. */
  children?: ReactNode;
}

/** Stands where there is nothing yet, or nothing that was looked for. */
export function EmptyState({ title, text, children }: EmptyStateProps) {
  return (
    <div className={classes.state}>
      <p className={classes.title}>{title}</p>
      {text ? <p className={classes.text}>{text}</p> : null}
      {children}
    </div>
  );
}

interface ErrorStateProps {
  /** What failed, in words. */
  title: string;
  error: unknown;
  onRetry: () => void;
}

/** Stands where something could not be loaded, with the words of the failure. */
export function ErrorState({ title, error, onRetry }: ErrorStateProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.state} role="alert">
      <LevelIcon mark="danger" size={22} />
      <p className={classes.title}>{title}</p>
      <p className={classes.text}>{messageOf(error)}</p>
      <Button variant="default" onClick={onRetry}>
        {t('actions.tryAgain')}
      </Button>
    </div>
  );
}

/** The shape of a table before it is there. */
export function TableSkeleton({ rows = 12 }: { rows?: number }) {
  return (
    <div className={classes.skeleton}>
      <SkeletonRows rows={rows} />
    </div>
  );
}

interface SkeletonRowsProps {
  rows?: number;
  /** How many columns of a table around it the rows fill; left out, they have a shape of their own. */
  columns?: number | undefined;
  /** Before the first column there is a box to tick. */
  hasTick?: boolean;
}

/** The shape of rows before they are there. */
export function SkeletonRows({ rows = 12, columns, hasTick = false }: SkeletonRowsProps) {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t('states.loading')}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a skeleton are all alike.
        <div key={index} className={classes.skeletonRow} data-is-in-table={columns !== undefined}>
          {hasTick ? <Skeleton height={16} width={16} radius="sm" /> : null}
          {Array.from({ length: columns ?? 4 }, (__, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: so are its cells.
            <Skeleton key={column} height={10} width={`${cellWidth(index, column)}%`} />
          ))}
        </div>
      ))}
    </div>
  );
}

/** In percent of its column: no two rows are quite alike. */
const cellWidth = (row: number, column: number): number => 45 + ((row * 17 + column * 29) % 40);
