import { useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { visitorOf } from '../../app/guard.ts';
import { announced } from '../../app/inside.ts';
import { useLooks } from '../../app/looks.ts';
import { useSignedIn } from '../../app/session.ts';
import { MenuItem } from './menu-item.tsx';
import classes from './shell.module.css';
import type { MenuState } from './use-menu.ts';
import { visibleMenu } from './visible-menu.ts';

/** Loaded when it first opens. */
const MenuDrawer = lazy(async () => ({ default: (await import('./menu-drawer.tsx')).MenuDrawer }));

export function MainMenu({ menu }: { menu: MenuState }) {
  const { t } = useTranslation();
  const { serviceName } = useLooks();
  const [isDrawerWanted, setDrawerWanted] = useState(false);
  if (menu.isDrawer && menu.isOpen && !isDrawerWanted) setDrawerWanted(true);
  if (!menu.isDrawer) {
    return (
      <nav id="menu" className={classes.menu} data-open={menu.isOpen} aria-label={t('shell.menu')}>
        <Items kind={menu.isOpen ? 'wide' : 'slim'} onFollow={menu.close} />
      </nav>
    );
  }
  return isDrawerWanted ? (
    <Suspense>
      <MenuDrawer isOpen={menu.isOpen} title={serviceName} onClose={menu.close}>
        <Items kind="drawer" onFollow={menu.close} />
      </MenuDrawer>
    </Suspense>
  ) : null;
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
