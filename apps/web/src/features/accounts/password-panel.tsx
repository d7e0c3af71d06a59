import { Button, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone } from '../../app/notify.ts';
import { useSubmit } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import classes from './accounts.module.css';
import { changePassword } from './accounts.queries.ts';
import { NewPasswordFields } from './new-password-fields.tsx';
import { passwordProblem } from './password-strength.ts';

/** Changes the password of the account. */
export function PasswordPanel() {
  const { t } = useTranslation();
  const [oldPassword, setOldPassword] = useState('');
  const [password, setPassword] = useState('');
  const [confirmation, setConfirmation] = useState('');

  const { isWorking, fault, trouble, handleSubmit } = useSubmit(async () => {
    await changePassword(oldPassword, password);
    for (const clear of [setOldPassword, setPassword, setConfirmation]) clear('');
    notifyDone(t('profile.passwordChanged'));
  });

  return (
    <Section title={t('profile.password')}>
      <form className={classes.form} onSubmit={handleSubmit}>
        <PasswordInput
          name="oldPassword"
          label={t('profile.oldPassword')}
          autoComplete="current-password"
          value={oldPassword}
          error={fault}
          onChange={(event) => setOldPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword'), tabIndex: 0 }}
        />
        <NewPasswordFields
          label={t('password.new')}
          password={password}
          confirmation={confirmation}
          onPassword={setPassword}
          onConfirmation={setConfirmation}
        />
        <p className={classes.note}>{t('profile.passwordNote')}</p>
        <Failure text={trouble} />
        <div>
          <Button
            type="submit"
            loading={isWorking}
            disabled={oldPassword === '' || passwordProblem(password, confirmation) !== null}
          >
            {t('profile.changePassword')}
          </Button>
        </div>
      </form>
    </Section>
  );
}
