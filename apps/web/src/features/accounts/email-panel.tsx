import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../ui/section.tsx';
import classes from './accounts.module.css';
import { EmailDialog } from './email-dialog.tsx';

/** The address that one signs in with, and the way to another one. */
export function EmailPanel({ email }: { email: string }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title={t('profile.email')}>
      <div className={classes.form}>
        <p className={classes.address}>{email}</p>
        <p className={classes.note}>{t('profile.emailNote')}</p>
        <div>
          <Button variant="default" onClick={() => setOpen(true)}>
            {t('profile.changeEmail')}
          </Button>
        </div>
      </div>
      {isOpen ? <EmailDialog email={email} onClose={() => setOpen(false)} /> : null}
    </Section>
  );
}
