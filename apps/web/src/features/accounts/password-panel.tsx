import { passwordChange } from '@albedo/contract/accounts/accounts.schema';
import { Button, PasswordInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { notifyDone } from '../../app/notify.ts';
import { useContractForm } from '../../app/use-contract-form.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import classes from './accounts.module.css';
import { changePassword } from './accounts.queries.ts';
import { NewPasswordFields } from './new-password-fields.tsx';
import { passwordProblem } from './password-strength.ts';

const repeated = passwordChange.extend({ confirmation: z.string() });
const EMPTY = { oldPassword: '', newPassword: '', confirmation: '' };

/** Changes the password of the account. */
export function PasswordPanel() {
  const { t } = useTranslation();
  const { values, set, field, faultOf, dialog } = useContractForm({
    schema: repeated,
    initial: EMPTY,
    refusals: { 'account.password_wrong': 'oldPassword' },
    send: async ({ oldPassword, newPassword }, change) => {
      await changePassword(oldPassword, newPassword);
      change(EMPTY);
      notifyDone(t('profile.passwordChanged'));
    },
  });
  const { oldPassword, newPassword, confirmation } = values;

  return (
    <Section title={t('profile.password')}>
      <form className={classes.form} onSubmit={dialog.onSubmit}>
        <PasswordInput
          {...field('oldPassword')}
          name="oldPassword"
          label={t('profile.oldPassword')}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword'), tabIndex: 0 }}
        />
        <NewPasswordFields
          label={t('password.new')}
          password={newPassword}
          confirmation={confirmation}
          fault={faultOf('newPassword')}
          onPassword={(password) => set({ newPassword: password })}
          onConfirmation={(next) => set({ confirmation: next })}
        />
        <p className={classes.note}>{t('profile.passwordNote')}</p>
        <Failure text={dialog.failure} />
        <div>
          <Button
            type="submit"
            loading={dialog.isWorking}
            disabled={oldPassword === '' || passwordProblem(newPassword, confirmation) !== null}
          >
            {t('profile.changePassword')}
          </Button>
        </div>
      </form>
    </Section>
  );
}
