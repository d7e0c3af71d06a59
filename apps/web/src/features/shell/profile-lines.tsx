import { Menu, useMantineColorScheme } from '@mantine/core';
import { IconLifebuoy, IconLogout, IconUser } from '@tabler/icons-react';
import { Link, useRouter } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyFailure } from '../../app/notify.ts';
import { useSignedIn } from '../../app/session.ts';
import { endSession } from '../sessions/sessions.queries.ts';
import { saveSetting } from '../settings/settings.queries.ts';
import { HelpLines } from './help-lines.tsx';
import classes from './shell.module.css';

/** A plain string: the route exists only where the operations team has its screens. */
const OPS_TEAM: string = '/opsteam';

const SCHEMES = [
  { value: 'auto', title: 'shell.themeAuto' },
  { value: 'light', title: 'shell.themeLight' },
  { value: 'dark', title: 'shell.themeDark' },
] as const;

interface ProfileLinesProps {
  /** Lines for help, if it has no menu of its own. */
  help: ComponentProps<typeof HelpLines> | null;
}

/** The lines of the profile menu. */
export function ProfileLines({ help }: ProfileLinesProps) {
  const { t } = useTranslation();
  const { user } = useSignedIn();
  const { routesByPath } = useRouter();
  const { colorScheme } = useMantineColorScheme();
  const chooseScheme = (scheme: typeof colorScheme) =>
    void saveSetting('colorScheme', scheme).catch((error: unknown) =>
      notifyFailure(t('profile.notSaved'), error),
    );
  return (
    <>
      <div className={classes.person}>
        <strong>{user.name}</strong>
        <span>{user.email}</span>
      </div>
      <Menu.Divider />
      <Menu.Item
        leftSection={<IconUser size={16} />}
        renderRoot={(props) => <Link {...props} to="/profile" />}
      >
        {t('shell.myProfile')}
      </Menu.Item>
      {user.staff && '/opsteam' in routesByPath ? (
        <Menu.Item
          leftSection={<IconLifebuoy size={16} />}
          renderRoot={(props) => <Link {...props} to={OPS_TEAM} />}
        >
          {t('menu.opsTeam')}
        </Menu.Item>
      ) : null}
      {help ? (
        <>
          <Menu.Divider />
          <HelpLines {...help} />
        </>
      ) : null}
      <Menu.Divider />
      <Menu.Label>{t('shell.theme')}</Menu.Label>
      <Menu.RadioGroup value={colorScheme} onChange={(value) => chooseScheme(value as typeof colorScheme)}>
        {SCHEMES.map(({ value, title }) => (
          <Menu.RadioItem key={value} value={value} closeMenuOnClick={false}>
            {t(title)}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <Menu.Divider />
      <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void endSession()}>
        {t('shell.logout')}
      </Menu.Item>
    </>
  );
}
