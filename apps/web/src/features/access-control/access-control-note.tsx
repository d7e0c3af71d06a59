import { ACCESS_CONTROL_ADDON } from '@albedo/contract/access-control/access-control.addon';
import { useTranslation } from 'react-i18next';
import { visitorOf } from '../../app/guard.ts';
import { useSignedIn } from '../../app/session.ts';
import classes from './access-control.module.css';

/** How the rules are read, and whether they count. */
export function AccessControlNote() {
  const { t } = useTranslation();
  const isOn = visitorOf(useSignedIn())?.addons.includes(ACCESS_CONTROL_ADDON) ?? false;
  return (
    <>
      {isOn ? null : (
        <p className={classes.note} role="status">
          <strong>{t('accessControl.off')}</strong>
        </p>
      )}
      <p className={classes.note}>{t('accessControl.how')}</p>
    </>
  );
}
