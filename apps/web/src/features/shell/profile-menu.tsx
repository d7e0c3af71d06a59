import { useTranslation } from 'react-i18next';
import { LaterMenu } from '../../app/later-menu.tsx';
import { useSignedIn } from '../../app/session.ts';
import classes from './shell.module.css';

const loadLines = async () => (await import('./profile-lines.tsx')).ProfileLines;

/** Who is signed in, how the app looks, and the way out. */
export function ProfileMenu() {
  const { t } = useTranslation();
  const { user } = useSignedIn();
  return (
    <LaterMenu position="bottom-end" width={248} load={loadLines} of={{}}>
      <button
        type="button"
        className={classes.topButton}
        aria-label={t('shell.profile', { name: user.name })}
      >
        <span className={classes.avatar} data-initials={initialsOf(user.name || user.email)} />
      </button>
    </LaterMenu>
  );
}

function initialsOf(name: string): string {
  const words = name.split(/[\s@.]+/).filter(Boolean);
  return ((words[0]?.[0] ?? '') + (words[1]?.[0] ?? '')).toUpperCase();
}
