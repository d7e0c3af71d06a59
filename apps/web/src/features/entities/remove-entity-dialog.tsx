import type { Entity } from '@albedo/contract/entities/entities.schema';
import { RESTORABLE_DAYS } from '@albedo/contract/entities/entities.schema';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { confirmText } from '../../app/confirm-text.ts';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { messageOf } from '../../ui/message-of.ts';
import classes from './entities.module.css';
import { entityImpactQuery, removeEntity } from './entities.queries.ts';

interface RemoveEntityDialogProps {
  entity: Entity;
  onGone: () => void;
  onClose: () => void;
}

/** Names of what goes with it that are drawn; the others are counted. */
const NAMED = 200;

/** Says what goes with an entity and what uses it, and asks for its name. */
export function RemoveEntityDialog({ entity, onGone, onClose }: RemoveEntityDialogProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { _id, name } = entity;
  const { data, error } = useQuery(entityImpactQuery(wg, _id));
  const below = (data?.entities ?? []).filter((one) => one._id !== _id);
  return (
    <ConfirmDialog
      phrase={name}
      confirm={confirmText(t('entities.remove'), name)}
      onConfirm={async () => {
        await removeEntity(wg, _id);
        notifyDone(t('entities.removed', { name, days: RESTORABLE_DAYS }));
        onGone();
      }}
      onClose={onClose}
    >
      {error ? <p className={classes.note}>{messageOf(error)}</p> : null}
      {data || error ? null : <Skeleton height={60} />}
      {data ? (
        <>
          <p>{t('entities.removeText', { name, days: RESTORABLE_DAYS })}</p>
          {below.length > 0 ? (
            <>
              <p>{t('entities.removeBelow', { count: below.length })}</p>
              <ul className={classes.list}>
                {below.slice(0, NAMED).map((one) => (
                  <li key={one._id}>{one.name}</li>
                ))}
                {below.length > NAMED ? (
                  <li>{t('entities.andMore', { count: below.length - NAMED })}</li>
                ) : null}
              </ul>
            </>
          ) : null}
          {data.uses.length > 0 ? (
            <>
              <p>{t('entities.removeUses', { count: data.uses.length })}</p>
              <ul className={classes.list}>
                {data.uses.map((use) => (
                  <li key={`${use.kind} ${use.id}`}>{use.name}</li>
                ))}
              </ul>
            </>
          ) : null}
        </>
      ) : null}
    </ConfirmDialog>
  );
}
