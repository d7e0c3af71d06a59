import { useTranslation } from 'react-i18next';
import classes from './login-card.module.css';
import type { Hint } from './login-machine.ts';

/** Advice on a refusal whose own text has none. */
export function SignInHint({ hint }: { hint: Hint }) {
  const { t } = useTranslation();
  return (
    <p role="status" className={classes.hint}>
      {t(hint)}
    </p>
  );
}
