import { useTranslation } from 'react-i18next';
import { LaterMenu } from '../../app/later-menu.tsx';
import { useSignedIn } from '../../app/session.ts';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { useSupport } from './help-menu.tsx';
import classes from './shell.module.css';

const loadLines = async () => (await import('./profile-lines.tsx')).ProfileLines;

/** Who is signed in, how the app looks, and the way out. */
export function ProfileMenu() {
  const { t } = useTranslation();
  const { user } = useSignedIn();
  const { onSupport, dialog } = useSupport();
  // On a phone the bar has no room for a help menu.
  const hasHelp = useIsNarrow();
  return (
    <>
      <LaterMenu
        position="bottom-end"
        width={248}
        alignItemsLabels="none"
        load={loadLines}
        of={{ help: hasHelp ? { onSupport } : null }}
      >
        <button
          type="button"
          className={classes.topButton}
          aria-label={t('shell.profile', { name: user.name })}
        >
          <span className={classes.avatar} data-initials={initialsOf(user.name || user.email)} />
        </button>
      </LaterMenu>
      {dialog}
    </>
  );
}

function initialsOf(name: string): string {
  const words = name.split(/[\s@.]+/).filter(Boolean);
  return ((words[0]?.[0] ?? '') + (words[1]?.[0] ?? '')).toUpperCase();
}
