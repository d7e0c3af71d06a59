import type { BulkAction } from '@albedo/contract/bulk-actions/bulk-actions.schema';
import { Progress } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './bulk-actions.module.css';

/** How far a bulk action is, with the devices that failed and those that are waited for. */
export function BulkProgress({ action: { counts, wave, waves } }: { action: BulkAction }) {
  const { t } = useTranslation();
  const all = Object.values(counts).reduce((sum, one) => sum + one, 0);
  const part = (count: number) => (all === 0 ? 0 : (100 * count) / all);
  const figures = {
    over: counts.done + counts.failed,
    all,
    failed: counts.failed,
    queued: counts.queued,
    wave: Math.max(1, wave),
    waves,
  };
  return (
    <>
      <Progress.Root size="sm" aria-label={t('bulkActions.columns.progress')}>
        <Progress.Section value={part(counts.done)} color="var(--al-ok)" aria-hidden />
        <Progress.Section value={part(counts.failed)} color="var(--al-danger)" aria-hidden />
      </Progress.Root>
      <div className={classes.counts}>
        {t(waves > 1 ? 'bulkActions.countsInWaves' : 'bulkActions.counts', figures)}
      </div>
    </>
  );
}
