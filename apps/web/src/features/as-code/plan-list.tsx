import type { CodePlan } from '@albedo/contract/as-code/as-code.schema';
import { useTranslation } from 'react-i18next';
import { ChangeList } from '../../app/versions/versions-dialog.tsx';
import classes from './as-code.module.css';

/** What applying a file would change, one thing after the other. */
export function PlanList({ plan: { things, unchanged } }: { plan: CodePlan }) {
  const { t } = useTranslation();
  return (
    <>
      <p className={classes.note} role="status">
        {things.length === 0
          ? t('asCode.nothing', { count: unchanged })
          : `${t('asCode.changing', { count: things.length })} ${t('asCode.staying', { count: unchanged })}`}
      </p>
      <ul className={classes.plan}>
        {things.map(({ kind, key, action, changes, count }) => (
          <li key={`${kind} ${action} ${key}`}>
            <div className={classes.thing}>
              <span className={classes.action} data-action={action}>
                {t(`asCode.actions.${action}`)}
              </span>
              <strong>{key}</strong>
              <span className={classes.kind}>{t(`asCode.kinds.${kind}`)}</span>
            </div>
            {count > 0 ? <ChangeList changes={changes} count={count} /> : null}
          </li>
        ))}
      </ul>
    </>
  );
}
