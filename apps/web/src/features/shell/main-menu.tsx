import { Drawer } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { visitorOf } from '../../app/guard.ts';
import { announced } from '../../app/inside.ts';
import { useLooks } from '../../app/looks.ts';
import { useSignedIn } from '../../app/session.ts';
import { MenuItem } from './menu-item.tsx';
import classes from './shell.module.css';
import type { MenuState } from './use-menu.ts';
import { visibleMenu } from './visible-menu.ts';

export function MainMenu({ menu }: { menu: MenuState }) {
  const { t } = useTranslation();
  const { serviceName } = useLooks();
  if (!menu.isDrawer) {
    return (
      <nav id="menu" className={classes.menu} data-open={menu.isOpen} aria-label={t('shell.menu')}>
        <Items kind={menu.isOpen ? 'wide' : 'slim'} onFollow={menu.close} />
      </nav>
    );
  }
  return (
    <Drawer
      opened={menu.isOpen}
      onClose={menu.close}
      size={280}
      title={serviceName}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <nav id="menu" aria-label={t('shell.menu')}>
        <Items kind="drawer" onFollow={menu.close} />
      </nav>
    </Drawer>
  );
}

function Items({ kind, onFollow }: { kind: 'wide' | 'slim' | 'drawer'; onFollow: () => void }) {
  const { routesByPath } = useRouter();
  const session = useSignedIn();
  const entries = useMemo(() => {
    const visitor = visitorOf(session);
    return visitor ? visibleMenu(announced('menu'), visitor, routesByPath) : [];
  }, [session, routesByPath]);
  return (
    <ul className={classes.items}>
      {entries.map((entry) => (
        <MenuItem key={entry.title} entry={entry} kind={kind} onFollow={onFollow} />
      ))}
    </ul>
  );
}
