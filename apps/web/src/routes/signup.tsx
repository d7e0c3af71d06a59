import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { RequestForm } from '../features/workgroup-requests/request-form.tsx';
import classes from './home.module.css';

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
