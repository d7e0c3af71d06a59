import { Button, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSubmit } from '../../app/use-submit.ts';
import classes from './login-card.module.css';
import { FAILURES } from './login-machine.ts';
import { findProvider, ssoAddress } from './login-steps.queries.ts';

interface SamlStepProps {
  email: string;
  onEmail: (email: string) => void;
  /** Leads the browser to the identity provider. */
  onLeave: (address: string) => void;
  onBack: () => void;
}

/** The state `saml`: the e-mail address finds the identity provider, of whichever kind, and the browser goes there. */
export function SamlStep({ email, onEmail, onLeave, onBack }: SamlStepProps) {
  const { t } = useTranslation();
  const { isWorking, failure, handleSubmit } = useSubmit(
    async () => onLeave(ssoAddress(await findProvider(email.trim()))),
    FAILURES.saml,
  );
  return (
    <form className={classes.form} onSubmit={handleSubmit}>
      <div>
        <h2 className={classes.stepTitle}>{t('login.samlTitle')}</h2>
        <p className={classes.stepText}>{t('login.samlText')}</p>
      </div>
      <TextInput
        name="email"
        type="email"
        label={t('login.email')}
        autoComplete="username"
        autoFocus
        required
        withAsterisk={false}
        size="md"
        value={email}
        onChange={(event) => onEmail(event.currentTarget.value)}
      />
      <p role="alert" className={classes.failure}>
        {failure}
      </p>
      <Button type="submit" size="md" fullWidth loading={isWorking}>
        {t('login.sso')}
      </Button>
      <button type="button" className={classes.other} onClick={onBack}>
        {t('login.backToLogin')}
      </button>
    </form>
  );
}
