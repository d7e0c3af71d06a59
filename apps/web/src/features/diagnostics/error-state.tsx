import type { BrowserError } from '@albedo/contract/diagnostics/diagnostics.schema';
import { useTranslation } from 'react-i18next';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import classes from './diagnostics.module.css';

const MARKS = { open: 'warning', resolved: 'ok', returned: 'danger' } as const;

/** Whether it was marked as resolved, and in which version it came back. */
export function ErrorState({ error: { state, returnedIn } }: { error: BrowserError }) {
  const { t } = useTranslation();
  return (
    <span className={classes.state}>
      <LevelIcon mark={MARKS[state]} />
      {state === 'returned'
        ? t('diagnostics.cameBack', { version: returnedIn })
        : t(`diagnostics.states.${state}`)}
    </span>
  );
}
