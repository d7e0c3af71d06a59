import { Button } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAttempt } from '../../app/use-submit.ts';
import { CardHead } from '../../ui/card-head.tsx';
import { Failure } from '../../ui/failure.tsx';
import card from '../../ui/public-card.module.css';
import { revertEmail } from './accounts.public.ts';

/** Where the link in the mail to an old address leads: one button gives the account that address back. */
export function RevertPage() {
  const { t } = useTranslation();
  const { token } = useParams({ from: '/revert-email/$token' });
  const { attempt, isWorking, failure } = useAttempt();
  const [email, setEmail] = useState<string | null>(null);
  const revert = () =>
    attempt(async () => {
      setEmail(await revertEmail(token));
    });
  return (
    <main className={card.screen}>
      <section className={card.card} aria-labelledby="revert-title">
        <CardHead id="revert-title" title={t('accounts.revertTitle')} />
        {email === null ? (
          <>
            <p>{t('accounts.revertText')}</p>
            <Failure text={failure} />
            <Button size="md" fullWidth loading={isWorking} onClick={() => void revert()}>
              {t('accounts.revert')}
            </Button>
          </>
        ) : (
          <>
            <p role="status">{t('accounts.reverted', { email })}</p>
            <Button size="md" fullWidth renderRoot={(props) => <Link {...props} to="/login" />}>
              {t('reset.toLogin')}
            </Button>
          </>
        )}
      </section>
    </main>
  );
}
