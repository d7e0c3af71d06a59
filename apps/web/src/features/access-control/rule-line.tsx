import type { AccessRule } from '@albedo/contract/access-control/access-control.schema';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './access-control.module.css';
import { ruleSentence } from './rule-sentence.ts';
import { usePrincipals } from './use-principals.ts';

interface RuleLineProps {
  rule: AccessRule;
  /** A second line below the sentence. */
  second: ReactNode;
  isFirst?: boolean;
  actions?: ReactNode;
}

/** One rule of a list, in plain language. */
export function RuleLine({ rule, second, isFirst = false, actions }: RuleLineProps) {
  const { t } = useTranslation();
  const principals = usePrincipals();
  return (
    <li className={classes.rule} data-is-first={isFirst}>
      <span className={classes.effect} data-effect={rule.effect}>
        {t(`accessControl.effects.${rule.effect}`)}
      </span>
      <div>
        <div className={classes.sentence}>{ruleSentence(t, rule, principals)}</div>
        <div className={classes.second}>{second}</div>
      </div>
      {actions}
    </li>
  );
}
