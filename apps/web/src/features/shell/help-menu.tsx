import { IconHelp } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announced } from '../../app/inside.ts';
import { LaterMenu } from '../../app/later-menu.tsx';
import classes from './shell.module.css';

const loadLines = async () => (await import('./help-lines.tsx')).HelpLines;

/** Documentation beside the screen, and who to ask. */
export function HelpMenu() {
  const { t } = useTranslation();
  const [support] = announced('support');
  const [isSupportOpen, setSupportOpen] = useState(false);
  return (
    <>
      <LaterMenu
        position="bottom-end"
        width={220}
        alignItemsLabels="none"
        classNames={{ itemIndicator: classes.helpMark ?? '' }}
        load={loadLines}
        of={{ onSupport: support ? () => setSupportOpen(true) : null }}
      >
        <button type="button" className={classes.topButton} aria-label={t('menu.help')}>
          <IconHelp size={20} stroke={1.8} aria-hidden="true" />
        </button>
      </LaterMenu>
      {isSupportOpen && support ? (
        <Suspense>
          <support.Content onClose={() => setSupportOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
