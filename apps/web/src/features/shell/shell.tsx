import '@mantine/core/styles.layer.css';
import { ModalsProvider } from '@mantine/modals';
import { QueryClientProvider } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { type ReactNode, useLayoutEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { queryClient } from '../../app/query-client.ts';
import { useSession } from '../../app/session.ts';
import { connectSocket, disconnectSocket } from '../../app/socket.ts';
import { followDevices } from '../devices/devices.queries.ts';
import { MainMenu } from './main-menu.tsx';
import classes from './shell.module.css';
import { TopBar } from './top-bar.tsx';
import { UpdatePrompt } from './update-prompt.tsx';
import { useMenu } from './use-menu.ts';
import { useSessionCountdown } from './use-session-countdown.ts';

/** Top bar and left menu around every screen behind sign-in; `search` stands in the top bar. */
export function Shell({ search }: { search: ReactNode }) {
  const session = useSession();
  if (!session) return null;
  // Another workgroup is another world: nothing of the old one stays on screen.
  return (
    <QueryClientProvider client={queryClient}>
      <SignedIn key={session.workgroup} token={session.token} workgroup={session.workgroup} search={search} />
    </QueryClientProvider>
  );
}

interface SignedInProps {
  token: string;
  workgroup: string;
  search: ReactNode;
}

function SignedIn({ token, workgroup, search }: SignedInProps) {
  const { t } = useTranslation();
  const menu = useMenu();
  useSessionCountdown();
  // Before the screens start their queries, which wait for the connection.
  useLayoutEffect(() => {
    connectSocket(token, workgroup);
    const stopFollowing = followDevices(workgroup);
    return () => {
      stopFollowing();
      disconnectSocket();
    };
  }, [token, workgroup]);
  return (
    <ModalsProvider>
      <a className={classes.skip} href="#main">
        {t('shell.skip')}
      </a>
      <div className={classes.shell}>
        <TopBar menu={menu} search={search} />
        <MainMenu menu={menu} />
        <main id="main" tabIndex={-1} className={classes.main}>
          <Outlet />
        </main>
      </div>
      <UpdatePrompt />
    </ModalsProvider>
  );
}
