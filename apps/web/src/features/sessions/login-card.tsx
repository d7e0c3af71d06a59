import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../app/call.ts';
import { Logo } from '../../ui/logo.tsx';
import classes from './login-card.module.css';
import { beginSession } from './sessions.queries.ts';

/** Sign-in with e-mail and password. `email` prefills the first field. */
export function LoginCard({ email: given, onSignedIn }: { email: string; onSignedIn: () => void }) {
  const { t } = useTranslation();
  const [email, setEmail] = useState(given);
  const [password, setPassword] = useState('');
  const [isWorking, setWorking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function handleSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    setWorking(true);
    setFailure(null);
    try {
      await beginSession(email.trim(), password);
      onSignedIn();
    } catch (error) {
      setFailure(failureText(error));
      setWorking(false);
      form.querySelector<HTMLInputElement>('input[name=password]')?.select();
    }
  }

  return (
    <main className={classes.screen}>
      <form
        className={classes.card}
        onSubmit={(event) => void handleSubmit(event)}
        aria-label={t('login.title')}
      >
        <header className={classes.header}>
          <span className={classes.mark}>
            <Logo size={30} />
          </span>
          <div>
            <h1 className={classes.title}>Albedo</h1>
            <p className={classes.claim}>{t('login.claim')}</p>
          </div>
        </header>
        <TextInput
          name="email"
          type="email"
          label={t('login.email')}
          autoComplete="username"
          autoFocus={given === ''}
          required
          withAsterisk={false}
          size="md"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          name="password"
          label={t('login.password')}
          autoComplete="current-password"
          autoFocus={given !== ''}
          required
          withAsterisk={false}
          size="md"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword'), tabIndex: 0 }}
        />
        <p role="alert" className={classes.failure}>
          {failure}
        </p>
        <Button type="submit" size="md" fullWidth loading={isWorking}>
          {t('login.continue')}
        </Button>
      </form>
    </main>
  );
}

/** Words of the specification, document 1, section 8. */
function failureText(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  if (error.code === 400) return 'Invalid login: Try continuing with SAML SSO';
  if (error.code === 401) return 'Invalid username and/or password';
  if (error.code === 429) return 'Too many requests.. Please try again later';
  return error.message;
}
