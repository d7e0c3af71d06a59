import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { RequestForm } from './request-form.tsx';
import classes from './signup-page.module.css';

/** Asking for a workgroup, on a page of its own. */
export function SignupPage() {
  const { t } = useTranslation();
  return (
    <main className={classes.alone}>
      <RequestForm isPage />
      <Link to="/login">{t('workgroupRequests.toLogin')}</Link>
    </main>
  );
}
