import { RESTORABLE_DAYS } from '@albedo/contract/entities/entities.schema';
import { Button, Modal, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { EmptyState, ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { agoText } from '../../ui/units/durations.ts';
import classes from './entities.module.css';
import { entityDeletionsQuery, restoreDeletion } from './entities.queries.ts';

/** What was deleted lately, each with the way back. */
export function DeletionsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const now = useNow(60_000);
  const { data, error, refetch } = useQuery(entityDeletionsQuery(wg));
  const { attempt, isWorking, failure } = useAttempt();
  return (
    <Modal
      opened
      size="lg"
      onClose={onClose}
      title={t('entities.deletions')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="sm">
        {error ? (
          <ErrorState title={t('entities.failed')} error={error} onRetry={() => void refetch()} />
        ) : null}
        {data || error ? null : <TableSkeleton rows={3} />}
        {data?.length === 0 ? (
          <EmptyState
            title={t('entities.noDeletions')}
            text={t('entities.noDeletionsText', { days: RESTORABLE_DAYS })}
          />
        ) : null}
        {data?.map(({ _id, name, count, deletedAt, deletedBy }) => (
          <div key={_id} className={classes.labelRow}>
            <span className={classes.labelName}>
              {name}
              <span className={classes.note}>
                {' '}
                {t('entities.deletedBy', { count, by: deletedBy, ago: agoText(deletedAt, now) })}
              </span>
            </span>
            <Button
              size="xs"
              variant="default"
              loading={isWorking}
              onClick={() =>
                void attempt(async () => {
                  await restoreDeletion(wg, _id);
                  notifyDone(t('entities.restored', { name }));
                })
              }
            >
              {t('entities.restore')}
            </Button>
          </div>
        ))}
        <Failure text={failure} />
      </Stack>
    </Modal>
  );
}
