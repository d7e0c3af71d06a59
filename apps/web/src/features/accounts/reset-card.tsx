import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../app/call.ts';
import classes from './accounts.module.css';
import { resetPassword } from './accounts.public.ts';
import { CardHead } from './card-head.tsx';
import { NewPasswordFields } from './new-password-fields.tsx';

type ResetState = 'idle' | 'working' | 'error' | 'success';

/** Sets a new password with the token of a reset e-mail; a link that is no good gets tips why. */
export function ResetCard({ token }: { token: string }) {
  const { t } = useTranslation();
  const [state, setState] = useState<ResetState>('idle');
  const [hasTips, setTips] = useState(false);
  const [password, setPassword] = useState('');
  const [confirmation, setConfirmation] = useState('');

  async function handleSubmit(event: FormEvent) {
    event.preventDefault();
    setState('working');
    try {
      await resetPassword(token, password);
      setState('success');
    } catch (error) {
      setTips(error instanceof ApiError && error.code === 404);
      setState('error');
    }
  }

  if (state === 'success') {
    return (
      <section className={classes.card} aria-labelledby="reset-title">
        <CardHead id="reset-title" title={t('reset.doneTitle')} />
        <p role="status">{t('reset.doneText')}</p>
        <Button size="md" fullWidth renderRoot={(props) => <Link {...props} to="/login" />}>
          {t('reset.toLogin')}
        </Button>
      </section>
    );
  }
  return (
    <form
      className={classes.card}
      aria-labelledby="reset-title"
      onSubmit={(event) => void handleSubmit(event)}
    >
      <CardHead id="reset-title" title={t('reset.title')} />
      {state === 'error' ? (
        <p role="alert" className={classes.banner}>
          {t('reset.failed')}
        </p>
      ) : null}
      <NewPasswordFields
        label={t('password.new')}
        password={password}
        confirmation={confirmation}
        onPassword={setPassword}
        onConfirmation={setConfirmation}
        isFocused
      />
      <Button
        type="submit"
        size="md"
        fullWidth
        loading={state === 'working'}
        disabled={password.length < 8 || password !== confirmation}
      >
        {t('reset.submit')}
      </Button>
      {hasTips ? <Tips /> : null}
    </form>
  );
}

function Tips() {
  const { t } = useTranslation();
  return (
    <aside className={classes.tips}>
      <p>
        {t('reset.tips')} <Link to="/login">{t('reset.toLogin')}</Link>
      </p>
      <ul>
        <li>{t('reset.tipHour')}</li>
        <li>{t('reset.tipLatest')}</li>
        <li>{t('reset.tipOnce')}</li>
      </ul>
    </aside>
  );
}
