import { useTranslation } from 'react-i18next';
import classes from './access-control.module.css';

/** How the rules are read. */
export function AccessControlNote() {
  const { t } = useTranslation();
  return <p className={classes.note}>{t('rules.how')}</p>;
}
