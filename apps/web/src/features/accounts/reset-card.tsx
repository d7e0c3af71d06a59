import { resetRequest } from '@albedo/contract/accounts/accounts.schema';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { ApiError } from '../../app/call.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { CardHead } from '../../ui/card-head.tsx';
import { messageOf } from '../../ui/message-of.ts';
import card from '../../ui/public-card.module.css';
import classes from './accounts.module.css';
import { resetPassword } from './accounts.public.ts';
import { NewPasswordFields } from './new-password-fields.tsx';

const repeated = resetRequest.extend({ confirmation: z.string() });

/** Sets a new password with the token of a reset e-mail; a link that no longer works comes with tips why. */
export function ResetCard({ token }: { token: string }) {
  const { t } = useTranslation();
  const [isDone, setDone] = useState(false);
  const [hasTips, setTips] = useState(false);
  const [isBySso, setBySso] = useState(false);
  const { values, set, faultOf, dialog } = useContractForm({
    schema: repeated,
    initial: { password: '', confirmation: '' },
    send: async ({ password }) => {
      await resetPassword(token, password);
      setDone(true);
    },
    wordsFor: (error) => {
      const known = error instanceof ApiError ? error : null;
      setTips(known?.code === 404);
      setBySso(known?.error === 'account.by_provider');
      return known?.error === 'account.by_provider' ? messageOf(known) : t('reset.failed');
    },
  });
  const { password, confirmation } = values;
  const { failure } = dialog;

  if (isBySso) return <ToSso text={failure} />;
  if (isDone) {
    return (
      <section className={card.card} aria-labelledby="reset-title">
        <CardHead id="reset-title" title={t('reset.doneTitle')} />
        <p role="status">{t('reset.doneText')}</p>
        <Button size="md" fullWidth renderRoot={(props) => <Link {...props} to="/login" />}>
          {t('reset.toLogin')}
        </Button>
      </section>
    );
  }
  return (
    <form className={card.card} aria-labelledby="reset-title" onSubmit={dialog.onSubmit}>
      <CardHead id="reset-title" title={t('reset.title')} />
      {failure === null ? null : (
        <p role="alert" className={classes.banner}>
          {failure}
        </p>
      )}
      <NewPasswordFields
        label={t('password.new')}
        password={password}
        confirmation={confirmation}
        fault={faultOf('password')}
        onPassword={(next) => set({ password: next })}
        onConfirmation={(next) => set({ confirmation: next })}
        isFocused
        size="md"
      />
      <Button
        type="submit"
        size="md"
        fullWidth
        loading={dialog.isWorking}
        disabled={password === '' || password !== confirmation}
      >
        {t('reset.submit')}
      </Button>
      {hasTips ? <Tips /> : null}
    </form>
  );
}

/** The password opens no workgroup: the person has to sign in with the identity provider. */
function ToSso({ text }: { text: string | null }) {
  const { t } = useTranslation();
  return (
    <section className={card.card} aria-labelledby="reset-title">
      <CardHead id="reset-title" title={t('reset.title')} />
      <p role="alert">{text}</p>
      <Button size="md" fullWidth renderRoot={(props) => <Link {...props} to="/login/sso" />}>
        {t('join.ssoContinue')}
      </Button>
    </section>
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
