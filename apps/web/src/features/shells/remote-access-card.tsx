import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { notifyDone } from '../../app/notify.ts';
import { useIsOwner } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import classes from './shells.module.css';
import { remoteAccessQuery, setRemoteAccess } from './shells.queries.ts';

/** The one switch by which an owner ends and forbids all remote access. */
export function RemoteAccessCard() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const isOwner = useIsOwner();
  const [isAsking, setAsking] = useState(false);
  const { data } = useQuery(remoteAccessQuery(wg));
  if (!data) return null;
  const { isAllowed, changedBy } = data;
  const button = isOwner ? (
    <Button
      size="xs"
      variant="default"
      {...(isAllowed ? { c: 'var(--al-danger)' } : {})}
      onClick={() => setAsking(true)}
    >
      {t(isAllowed ? 'shells.access.forbid' : 'shells.access.allow')}
    </Button>
  ) : null;
  return (
    <Section title={t('shells.access.title')} actions={button}>
      <div className={classes.intro}>
        <Text size="sm">{t(isAllowed ? 'shells.access.on' : 'shells.access.off', { by: changedBy })}</Text>
        {isOwner ? null : (
          <Text size="sm" c="dimmed">
            {t('shells.access.owners')}
          </Text>
        )}
      </div>
      {isAsking ? (
        <ConfirmDialog
          confirm={t(isAllowed ? 'shells.access.forbid' : 'shells.access.allow')}
          isHarmless={!isAllowed}
          onConfirm={async () => {
            await setRemoteAccess(wg, !isAllowed);
            notifyDone(t(isAllowed ? 'shells.access.forbidden' : 'shells.access.allowed'));
          }}
          onClose={() => setAsking(false)}
        >
          {t(isAllowed ? 'shells.access.forbidText' : 'shells.access.allowText')}
        </ConfirmDialog>
      ) : null}
    </Section>
  );
}
