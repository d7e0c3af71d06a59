import { Menu } from '@mantine/core';
import { IconCheck, IconKeyboard, IconLicense, IconLifebuoy, IconNotebook } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { showShortcuts } from '../../app/shortcuts.ts';
import { toggleHelp, useIsHelpOpen } from './help-state.ts';
import classes from './shell.module.css';

interface HelpLinesProps {
  /** Null if no feature offers support. */
  onSupport: (() => void) | null;
}

/** The lines of the help menu. */
export function HelpLines({ onSupport }: HelpLinesProps) {
  const { t } = useTranslation();
  const isHelpOpen = useIsHelpOpen();
  return (
    <>
      <Menu.CheckboxItem
        checked={isHelpOpen}
        onChange={toggleHelp}
        closeMenuOnClick
        rightSection={isHelpOpen ? <IconCheck size={16} aria-hidden="true" /> : null}
      >
        <span className={classes.helpItem}>
          <IconNotebook size={16} aria-hidden="true" />
          {t('menu.documentation')}
        </span>
      </Menu.CheckboxItem>
      {onSupport ? (
        <Menu.Item leftSection={<IconLifebuoy size={16} aria-hidden="true" />} onClick={onSupport}>
          {t('menu.support')}
        </Menu.Item>
      ) : null}
      <Menu.Item
        leftSection={<IconKeyboard size={16} aria-hidden="true" />}
        onClick={() => showShortcuts(true)}
      >
        {t('keyboard.title')}
      </Menu.Item>
      <Menu.Item
        component="a"
        href="/open-source-licences.txt"
        target="_blank"
        leftSection={<IconLicense size={16} aria-hidden="true" />}
      >
        {t('menu.licences')}
      </Menu.Item>
    </>
  );
}
