import type { LongAction } from '@albedo/contract/long-actions/long-actions.schema';
import { isOver } from '@albedo/contract/long-actions/long-actions.state';
import { Button, CloseButton, Progress } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { notifyFailure } from '../../app/notify.ts';
import { formatBytes } from '../../ui/units/units.ts';
import classes from './long-actions.module.css';
import {
  cancelLongAction,
  dismissLongAction,
  downloadResult,
  type Place,
  retryLongAction,
} from './long-actions.queries.ts';

/** One long action: how far it is, its result or why it failed, and what can be done about it. */
export function LongActionItem({ action, place }: { action: LongAction; place: Place }) {
  const { t } = useTranslation();
  const { id, state, about, progress, file, error, canCancel } = action;
  const title = t(`longActions.kinds.${action.kind}`, { about });
  const act = (work: (place: Place, id: string) => Promise<void>) => () => {
    work(place, id).catch((failure: unknown) => notifyFailure(t('longActions.failed'), failure));
  };

  return (
    <div className={classes.action} data-state={state}>
      <div className={classes.head}>
        <strong className={classes.title}>{title}</strong>
        {isOver(state) ? (
          <CloseButton
            size="sm"
            aria-label={t('longActions.dismiss', { title })}
            onClick={act(dismissLongAction)}
          />
        ) : null}
      </div>
      {isOver(state) ? null : (
        <Progress
          value={state === 'queued' ? 0 : (progress ?? 1) * 100}
          animated={state === 'running' && progress === null}
          aria-label={title}
        />
      )}
      <p className={classes.state} role={state === 'failed' ? 'alert' : undefined}>
        {error ?? t(`longActions.states.${state}`, { percent: Math.round((progress ?? 0) * 100) })}
      </p>
      <div className={classes.buttons}>
        {canCancel ? (
          <Button size="compact-sm" variant="default" onClick={act(cancelLongAction)}>
            {t('actions.cancel')}
          </Button>
        ) : null}
        {file ? (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconDownload size={14} />}
            onClick={act(downloadResult)}
          >
            {t('longActions.download', { name: file.name, size: formatBytes(file.size) })}
          </Button>
        ) : null}
        {state === 'failed' || state === 'cancelled' ? (
          <Button size="compact-sm" variant="default" onClick={act(retryLongAction)}>
            {t('actions.tryAgain')}
          </Button>
        ) : null}
      </div>
    </div>
  );
}
