import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSignedIn } from '../../app/session.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Section } from '../../ui/section.tsx';
import classes from './accounts.module.css';
import { signOutEverywhere } from './accounts.queries.ts';

/** Until when one is signed in, and the way out on every machine at once. */
export function SessionsPanel() {
  const { t, i18n } = useTranslation();
  const { user } = useSignedIn();
  const [isAsking, setAsking] = useState(false);
  const until = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <Section title={t('profile.sessions')}>
      <div className={classes.form}>
        <p>{t('profile.signedInUntil', { time: until.format(user.exp * 1000) })}</p>
        <div>
          <Button variant="default" onClick={() => setAsking(true)}>
            {t('profile.signOutEverywhere')}
          </Button>
        </div>
      </div>
      {isAsking ? (
        <ConfirmDialog onConfirm={signOutEverywhere} onClose={() => setAsking(false)}>
          {t('profile.signOutEverywhereText')}
        </ConfirmDialog>
      ) : null}
    </Section>
  );
}
