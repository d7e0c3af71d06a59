// The pages that anybody can open have the styles of a few pieces only.
import '@mantine/core/styles/Skeleton.layer.css';
import type { Invitation } from '@albedo/contract/members/members.schema';
import { Button, Skeleton, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../app/session.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { CardHead } from '../../ui/card-head.tsx';
import { Failure } from '../../ui/failure.tsx';
import { messageOf } from '../../ui/message-of.ts';
import card from '../../ui/public-card.module.css';
import classes from './accounts.module.css';
import { type AccountLink, acceptLink, readLink } from './accounts.public.ts';
import { NewPasswordFields } from './new-password-fields.tsx';
import { passwordProblem } from './password-strength.ts';

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
  const [name, setName] = useState(invitation.name);
  const [password, setPassword] = useState('');
  const [confirmation, setConfirmation] = useState('');
  const isNew = !invitation.hasAccount && !invitation.usesSso;
  const session = useSession();
  const isOther = session !== null && session.user.email !== invitation.email;
  const isReady = !isNew || (name.trim() !== '' && passwordProblem(password, confirmation) === null);

  const { isWorking, failure, handleSubmit } = useSubmit(async () => {
    await acceptLink(link, isNew ? { name: name.trim(), password } : {});
    onDone();
  });

  return (
    <form className={card.card} onSubmit={handleSubmit}>
      <CardHead title={t('join.title', { workgroup: invitation.orgDisplay })} />
      <p>{t(textOf(invitation), { email: invitation.email, workgroup: invitation.orgDisplay })}</p>
      {isOther ? <p className={classes.tips}>{t('join.signedInAs', { email: session.user.email })}</p> : null}
      {isNew ? (
        <>
          <TextInput
            label={t('profile.name')}
            autoComplete="name"
            autoFocus
            size="md"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <NewPasswordFields
            label={t('login.password')}
            password={password}
            confirmation={confirmation}
            onPassword={setPassword}
            onConfirmation={setConfirmation}
            size="md"
          />
        </>
      ) : null}
      <Failure text={failure} />
      <Button type="submit" size="md" fullWidth loading={isWorking} disabled={!isReady}>
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
