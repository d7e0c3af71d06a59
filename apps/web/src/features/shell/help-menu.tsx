import { Menu } from '@mantine/core';
import { IconCheck, IconHelp, IconLifebuoy, IconNotebook } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toggleHelp, useIsHelpOpen } from './help-state.ts';
import classes from './shell.module.css';

/** A dialog of another feature; drawn while it is open. */
export type DialogSlot = (onClose: () => void) => ReactNode;

/** Documentation beside the screen, and whom to ask; `support` is what the second opens. */
export function HelpMenu({ support }: { support: DialogSlot | undefined }) {
  const { t } = useTranslation();
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
        </Menu.Dropdown>
      </Menu>
      {isSupportOpen && support ? support(() => setSupportOpen(false)) : null}
    </>
  );
}
