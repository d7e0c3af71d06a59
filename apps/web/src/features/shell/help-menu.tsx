import { Menu } from '@mantine/core';
import {
  IconCheck,
  IconHelp,
  IconKeyboard,
  IconLicense,
  IconLifebuoy,
  IconNotebook,
} from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announced } from '../../app/inside.ts';
import { showShortcuts } from '../../app/shortcuts.ts';
import { toggleHelp, useIsHelpOpen } from './help-state.ts';
import classes from './shell.module.css';

/** Documentation beside the screen, and who to ask. */
export function HelpMenu() {
  const { t } = useTranslation();
  const [support] = announced('support');
  const isHelpOpen = useIsHelpOpen();
  const [isSupportOpen, setSupportOpen] = useState(false);
  return (
    <>
      <Menu
        position="bottom-end"
        width={220}
        alignItemsLabels="none"
        classNames={{ itemIndicator: classes.helpMark ?? '' }}
      >
        <Menu.Target>
          <button type="button" className={classes.topButton} aria-label={t('menu.help')}>
            <IconHelp size={20} stroke={1.8} aria-hidden="true" />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
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
          {support ? (
            <Menu.Item
              leftSection={<IconLifebuoy size={16} aria-hidden="true" />}
              onClick={() => setSupportOpen(true)}
            >
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
        </Menu.Dropdown>
      </Menu>
      {isSupportOpen && support ? (
        <Suspense>
          <support.Content onClose={() => setSupportOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
