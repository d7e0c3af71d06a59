import type { UserProfile } from '@albedo/contract/accounts/accounts.schema';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../ui/section.tsx';
import classes from './accounts.module.css';
import { EmailDialog } from './email-dialog.tsx';
import { useBySso } from './own-sign-in.tsx';

/** The e-mail address of the sign-in, and how to change it, or why that is not possible. */
export function EmailPanel({ profile: { email, hasPassword } }: { profile: UserProfile }) {
  const { t } = useTranslation();
  const isBySso = useBySso();
  return (
    <Section title={t('profile.email')}>
      <div className={classes.form}>
        <p className={classes.address}>{email}</p>
        {isBySso ? (
          <p className={classes.note}>
            {t(hasPassword ? 'profile.byProvider.emailOfPassword' : 'profile.byProvider.email')}
          </p>
        ) : (
          <ChangeEmail email={email} />
        )}
      </div>
    </Section>
  );
}

function ChangeEmail({ email }: { email: string }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <p className={classes.note}>{t('profile.emailNote')}</p>
      <div>
        <Button variant="default" onClick={() => setOpen(true)}>
          {t('profile.changeEmail')}
        </Button>
      </div>
      {isOpen ? <EmailDialog email={email} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
