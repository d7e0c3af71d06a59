import { IconMenu2, IconWifiOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { landingOf, visitorOf } from '../../app/guard.ts';
import { announced } from '../../app/inside.ts';
import { useLooks } from '../../app/looks.ts';
import { useSignedIn } from '../../app/session.ts';
import { useConnectionState } from '../../app/socket.ts';
import { Logo } from '../../ui/logo.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { useSettings } from '../settings/settings.queries.ts';
import { Beside } from './beside.tsx';
import { HelpMenu } from './help-menu.tsx';
import { ProfileMenu } from './profile-menu.tsx';
import classes from './shell.module.css';
import type { MenuState } from './use-menu.ts';
import { WorkgroupSelector } from './workgroup-selector.tsx';

/** Painted in the brand's colour: the workgroup, whether it is live, and the person. */
export function TopBar({ menu }: { menu: MenuState }) {
  const { t } = useTranslation();
  const session = useSignedIn();
  const { serviceName } = useLooks();
  const { hiddenOrgs = [] } = useSettings();
  // At most four things on a phone: the menu, the workgroup, the search and the profile, which includes help.
  const isNarrow = useIsNarrow();
  return (
    <header className={classes.top}>
      <button
        type="button"
        className={classes.topButton}
        aria-label={t('shell.toggleMenu')}
        aria-expanded={menu.isOpen}
        aria-controls="menu"
        onClick={menu.toggle}
      >
        <IconMenu2 size={20} stroke={1.8} aria-hidden="true" />
      </button>
      {isNarrow ? null : (
        <Link
          to={landingOf(visitorOf(session))}
          className={classes.brand}
          aria-label={t('shell.home', { service: serviceName })}
        >
          <Logo size={24} />
          <span>{serviceName}</span>
        </Link>
      )}
      <WorkgroupSelector hidden={hiddenOrgs} />
      <div className={classes.space} />
      <Beside>
        {announced('searchField').map(({ at, Content }) => (
          <Content key={at} />
        ))}
      </Beside>
      <Connection />
      <Beside>
        {announced('topBar').map(({ at, Content, isWide }) =>
          isWide && isNarrow ? null : <Content key={at} />,
        )}
      </Beside>
      {isNarrow ? null : <HelpMenu />}
      <ProfileMenu />
    </header>
  );
}

function Connection() {
  const { t } = useTranslation();
  const state = useConnectionState();
  return (
    <span
      role="status"
      className={classes.connection}
      data-state={state}
      title={t(`connection.${state}Hint`)}
    >
      {state === 'live' ? (
        <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
          <circle cx="5" cy="5" r="4" fill="currentColor" />
        </svg>
      ) : (
        <IconWifiOff size={16} stroke={1.8} aria-hidden="true" />
      )}
      <span className={classes.connectionWord}>{t(`connection.${state}`)}</span>
    </span>
  );
}
