import { Drawer, Tooltip } from '@mantine/core';
import { IconDevices, IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { denialOf, visitorOf } from '../../app/guard.ts';
import { useSignedIn } from '../../app/session.ts';
import classes from './shell.module.css';
import type { MenuState } from './use-menu.ts';

/** What the menu leads to: only screens that exist. Titles are keys of the language file. */
const ITEMS = [
  { to: '/devices', title: 'devices.title', group: null, guard: { restricted: true }, Icon: IconDevices },
  {
    to: '/admin/access',
    title: 'members.title',
    group: 'shell.admin',
    guard: { permissions: ['manageAccess', 'wgMembers'] },
    Icon: IconUsers,
  },
] as const;

export function MainMenu({ menu }: { menu: MenuState }) {
  const { t } = useTranslation();
  if (!menu.isDrawer) {
    return (
      <nav id="menu" className={classes.menu} data-open={menu.isOpen} aria-label={t('shell.menu')}>
        <Items isOpen={menu.isOpen} onFollow={menu.close} />
      </nav>
    );
  }
  return (
    <Drawer
      opened={menu.isOpen}
      onClose={menu.close}
      size={280}
      title="Albedo"
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <nav id="menu" aria-label={t('shell.menu')}>
        <Items isOpen onFollow={menu.close} />
      </nav>
    </Drawer>
  );
}

function Items({ isOpen, onFollow }: { isOpen: boolean; onFollow: () => void }) {
  const { t } = useTranslation();
  const visitor = visitorOf(useSignedIn());
  const items = ITEMS.filter(({ guard }) => visitor !== null && denialOf(guard, visitor) === null);
  return (
    <ul className={classes.items}>
      {items.map(({ to, title, group, Icon }) => (
        <li key={to}>
          {group && isOpen ? <div className={classes.group}>{t(group)}</div> : null}
          <Tooltip label={t(title)} position="right" disabled={isOpen}>
            <Link to={to} className={classes.item} aria-label={t(title)} onClick={onFollow}>
              <Icon size={19} stroke={1.7} aria-hidden="true" />
              {isOpen ? <span>{t(title)}</span> : null}
            </Link>
          </Tooltip>
        </li>
      ))}
    </ul>
  );
}
