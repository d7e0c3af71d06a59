import { IconHelp } from '@tabler/icons-react';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announced } from '../../app/inside.ts';
import { LaterMenu } from '../../app/later-menu.tsx';
import classes from './shell.module.css';

const loadLines = async () => (await import('./help-lines.tsx')).HelpLines;

/** Documentation beside the screen, and who to ask. */
export function HelpMenu() {
  const { t } = useTranslation();
  const { onSupport, dialog } = useSupport();
  return (
    <>
      <LaterMenu
        position="bottom-end"
        width={220}
        alignItemsLabels="none"
        classNames={{ itemIndicator: classes.helpMark ?? '' }}
        load={loadLines}
        of={{ onSupport }}
      >
        <button type="button" className={classes.topButton} aria-label={t('menu.help')}>
          <IconHelp size={20} stroke={1.8} aria-hidden="true" />
        </button>
      </LaterMenu>
      {dialog}
    </>
  );
}

/** Opens the support form; null if no feature offers it. */
export function useSupport(): { onSupport: (() => void) | null; dialog: ReactNode } {
  const [support] = announced('support');
  const [isOpen, setOpen] = useState(false);
  const dialog =
    isOpen && support ? (
      <Suspense>
        <support.Content onClose={() => setOpen(false)} />
      </Suspense>
    ) : null;
  return { onSupport: support ? () => setOpen(true) : null, dialog };
}
