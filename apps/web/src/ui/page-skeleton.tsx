import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './page-skeleton.module.css';

/** A whole page that is loading: a title and sections, just as index.html paints them before. */
export function PageSkeleton() {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t('states.loading')} className={classes.page}>
      <Skeleton height={24} width={220} />
      <Skeleton height={12} width={320} maw="80%" />
      <Skeleton height={120} mt={14} />
      <Skeleton height={280} mt={6} />
    </div>
  );
}
