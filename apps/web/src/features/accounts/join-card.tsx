// The pages that anybody can open have the styles of a few pieces only.
import { type Invitation, type Registration, registration } from '@albedo/contract/members/members.schema';
import { Button, Skeleton, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useSession } from '../../app/session.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { CardHead } from '../../ui/card-head.tsx';
import { Failure } from '../../ui/failure.tsx';
import { messageOf } from '../../ui/message-of.ts';
import card from '../../ui/public-card.module.css';
import classes from './accounts.module.css';
import { type AccountLink, acceptLink, readLink } from './accounts.public.ts';
import { NewPasswordFields } from './new-password-fields.tsx';
import { passwordProblem } from './password-strength.ts';

type Account = Pick<Registration, 'name' | 'password'>;
type Typed = Record<'name' | 'password' | 'confirmation', string>;
const newAccount: z.ZodType<Account, Typed> = registration
  .pick({ name: true, password: true })
  .required()
  .extend({ confirmation: z.string() })
  .transform(({ name, password }) => ({ name, password }));
/** The account is there, or needs no password. */
const noAccount: z.ZodType<Account, Typed> = z.custom<Typed>().transform(() => ({}));

/** What the link of an invitation or an activation leads to: a new account, or one more workgroup. */
export function JoinCard({ link }: { link: AccountLink }) {
  const { t } = useTranslation();
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isDone, setDone] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another link is another card.
  useEffect(() => {
    const stop = new AbortController();
    readLink(link, stop.signal).then(
      setInvitation,
      (error: unknown) => stop.signal.aborted || setFailure(messageOf(error)),
    );
    return () => stop.abort();
  }, []);

  if (failure !== null) {
    return (
      <section className={card.card}>
        <CardHead title={t('join.failed')} />
        <p role="alert">{failure}</p>
        <ToLogin />
      </section>
    );
  }
  if (!invitation) return <Skeleton className={card.card ?? ''} height={320} />;
  const workgroup = invitation.orgDisplay;
  if (isDone && invitation.usesSso) return <ToSso email={invitation.email} workgroup={workgroup} />;
  if (isDone) {
    return (
      <section className={card.card}>
        <CardHead title={t('join.doneTitle', { workgroup })} />
        <p role="status">{invitation.hasAccount ? t('join.doneAgain') : t('join.doneText')}</p>
        <ToLogin email={invitation.email} />
      </section>
    );
  }
  return <JoinForm link={link} invitation={invitation} onDone={() => setDone(true)} />;
}

interface JoinFormProps {
  link: AccountLink;
  invitation: Invitation;
  onDone: () => void;
}

function JoinForm({ link, invitation, onDone }: JoinFormProps) {
  const { t } = useTranslation();
  const isNew = !invitation.hasAccount && !invitation.usesSso;
  const session = useSession();
  const isOther = session !== null && session.user.email !== invitation.email;
  const { values, set, field, faultOf, dialog } = useContractForm({
    schema: isNew ? newAccount : noAccount,
    initial: { name: invitation.name, password: '', confirmation: '' },
    send: async (account) => {
      await acceptLink(link, account);
      onDone();
    },
  });
  const { name, password, confirmation } = values;
  const isReady = !isNew || (name.trim() !== '' && passwordProblem(password, confirmation) === null);

  return (
    <form className={card.card} onSubmit={dialog.onSubmit}>
      <CardHead title={t('join.title', { workgroup: invitation.orgDisplay })} />
      <p>{t(textOf(invitation), { email: invitation.email, workgroup: invitation.orgDisplay })}</p>
      {isOther ? <p className={classes.tips}>{t('join.signedInAs', { email: session.user.email })}</p> : null}
      {isNew ? (
        <>
          <TextInput {...field('name')} label={t('profile.name')} autoComplete="name" autoFocus size="md" />
          <NewPasswordFields
            label={t('login.password')}
            password={password}
            confirmation={confirmation}
            fault={faultOf('password')}
            onPassword={(next) => set({ password: next })}
            onConfirmation={(next) => set({ confirmation: next })}
            size="md"
          />
        </>
      ) : null}
      <Failure text={dialog.failure} />
      <Button type="submit" size="md" fullWidth loading={dialog.isWorking} disabled={!isReady}>
        {t(isNew ? 'join.register' : 'join.join')}
      </Button>
    </form>
  );
}

function textOf({ usesSso, hasAccount }: Invitation): string {
  if (usesSso) return hasAccount ? 'join.ssoKnownText' : 'join.ssoText';
  return hasAccount ? 'join.knownText' : 'join.newText';
}

/** Joined; the next step is to sign in with the identity provider. */
function ToSso({ email, workgroup }: { email: string; workgroup: string }) {
  const { t } = useTranslation();
  return (
    <section className={card.card}>
      <CardHead title={t('join.doneTitle', { workgroup })} />
      <p role="status">{t('join.ssoText', { email, workgroup })}</p>
      <Button
        size="md"
        fullWidth
        renderRoot={(props) => <Link {...props} to="/login/sso" search={{ email }} />}
      >
        {t('join.ssoContinue')}
      </Button>
    </section>
  );
}

function ToLogin({ email }: { email?: string }) {
  const { t } = useTranslation();
  return (
    <Button
      size="md"
      fullWidth
      renderRoot={(props) => <Link {...props} to="/login" search={email ? { email } : {}} />}
    >
      {t('reset.toLogin')}
    </Button>
  );
}
