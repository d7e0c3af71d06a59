import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { useSignedIn } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import classes from './accounts.module.css';
import { signOutEverywhere } from './accounts.queries.ts';
import { SessionList } from './session-list.tsx';

/** When the session ends, and how to sign out on every machine at once. */
export function SessionsPanel() {
  const { t } = useTranslation();
  const { user } = useSignedIn();
  const [isAsking, setAsking] = useState(false);
  return (
    <Section title={t('profile.sessions')}>
      <div className={classes.form}>
        <SessionList />
        <p>{t('profile.signedInUntil', { time: formatInstant(user.exp * 1000, userZone(), false) })}</p>
        <div>
          <Button variant="default" onClick={() => setAsking(true)}>
            {t('profile.signOutEverywhere')}
          </Button>
        </div>
      </div>
      {isAsking ? (
        <ConfirmDialog
          confirm={t('profile.signOutEverywhere')}
          onConfirm={signOutEverywhere}
          onClose={() => setAsking(false)}
        >
          {t('profile.signOutEverywhereText')}
        </ConfirmDialog>
      ) : null}
    </Section>
  );
}
