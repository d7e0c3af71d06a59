import { useTranslation } from 'react-i18next';
import { CopyIcon } from '../../ui/copy-id.tsx';
import classes from './mfa.module.css';

/** The code that helps when the phone is lost; it is never shown again. */
export function RecoveryCode({ code }: { code: string }) {
  const { t } = useTranslation();
  return (
    <span className={classes.secret}>
      <code>{code}</code>
      <CopyIcon value={code} label={t('login.recoveryCode')} />
    </span>
  );
}
