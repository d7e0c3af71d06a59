import { useTranslation } from 'react-i18next';
import classes from './login-card.module.css';
import type { Hint } from './login-machine.ts';

/** What somebody can do about a refusal whose words do not say it. */
export function SignInHint({ hint }: { hint: Hint }) {
  const { t } = useTranslation();
  return (
    <p role="status" className={classes.hint}>
      {t(hint)}
    </p>
  );
}
