import { sessionsApi } from '@albedo/contract/sessions/sessions.api';
import { type AsyncRouteComponent, Outlet, useLocation, useRouterState } from '@tanstack/react-router';
import { type ReactNode, Suspense, useCallback, useEffect, useLayoutEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { call, expectAsker } from '../../app/call.ts';
import type { Part } from '../../app/feature.ts';
import { useDrawnInPieces, useOneByOne } from '../../app/in-pieces.ts';
import { announced } from '../../app/inside.ts';
import { useSession } from '../../app/session.ts';
import { connectSocket, disconnectSocket } from '../../app/socket.ts';
import { useLoadedAhead } from '../../app/use-loaded-ahead.ts';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { followDevices } from '../devices/devices.queries.ts';
import { Beside } from './beside.tsx';
import { toggleHelp, uncover, useIsHelpOpen } from './help-state.ts';
import { LastStateBar } from './last-state-bar.tsx';
import { MainMenu } from './main-menu.tsx';
import { OpeningWorkgroup } from './opening-workgroup.tsx';
import classes from './shell.module.css';
import { TopBar } from './top-bar.tsx';
import { useDiagnostics } from './use-diagnostics.ts';
import { useIdleEnd } from './use-idle-end.ts';
import { useMenu } from './use-menu.ts';
import { useSessionCountdown } from './use-session-countdown.ts';
import { useFetchingWorkgroup } from './workgroup-switch.ts';

/** Top bar and left menu around every screen behind sign-in; `children` in place of the route's own screen. */
export function Shell({ children }: { children?: ReactNode }) {
  const session = useSession();
  const isDrawn = useDrawnInPieces();
  // Until then the skeleton in index.html shows.
  if (!session || !isDrawn) return null;
  const { user, workgroup, token } = session;
  // Another workgroup is another world, and so is another person: nothing of the old one stays on screen.
  return (
    <Suspense key={`${user._id} ${workgroup}`}>
      <SignedIn token={token} workgroup={workgroup}>
        {children ?? <Outlet />}
      </SignedIn>
    </Suspense>
  );
}

interface SignedInProps {
  token: string;
  workgroup: string;
  children: ReactNode;
}

function SignedIn({ token, workgroup, children }: SignedInProps) {
  const { t } = useTranslation();
  const menu = useMenu();
  const fetching = useFetchingWorkgroup();
  const isHelpOpen = useIsHelpOpen();
  const isFramed = useDrawnInPieces();
  const screen = useLocation({ select: ({ pathname }) => pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen is the occasion.
  useEffect(() => uncover, [screen]);
  useSessionCountdown();
  useIdleEnd();
  useDiagnostics();
  // Before the screens start their queries: what they hear of is asked for again when this connects.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another token is the occasion.
  useLayoutEffect(() => {
    connectSocket(async () => (await call(sessionsApi.socketTicket, {})).ticket, workgroup);
    const stopFollowing = followDevices(workgroup);
    return () => {
      stopFollowing();
      disconnectSocket();
    };
  }, [token, workgroup]);
  return (
    <>
      <a className={classes.skip} href="#main">
        {t('shell.skip')}
      </a>
      <div className={classes.shell}>
        <TopBar menu={menu} />
        <Underway />
        <MainMenu menu={menu} />
        {/* Its place is kept by a name: dialogs and lines that come and go would change the path to it. */}
        <main
          id="main"
          data-scroll-restoration-id="main"
          tabIndex={-1}
          className={classes.main}
          aria-busy={fetching !== null}
        >
          {fetching !== null ? (
            <OpeningWorkgroup name={fetching} />
          ) : isFramed ? (
            <Suspense fallback={<PageSkeleton />}>{children}</Suspense>
          ) : (
            <PageSkeleton />
          )}
        </main>
        {isHelpOpen && fetching === null ? (
          <Beside>
            {announced('documentation').map(({ at, Content }) => (
              <Content key={at} onClose={toggleHelp} />
            ))}
          </Beside>
        ) : null}
        <LastStateBar />
      </div>
      {fetching === null ? <Background /> : null}
    </>
  );
}

/** What follows the workgroup without being seen comes after what is seen. */
function Background() {
  const parts = announced('background');
  const count = useOneByOne(parts.length);
  useLayoutEffect(() => expectAsker(), []);
  return parts.slice(0, count).map(({ at, Content }) => <Unseen key={at} Content={Content} />);
}

/** Its files may not be there when they are wanted, as without a network: nobody's work is lost for what is not seen. */
function Unseen({ Content }: Pick<Part, 'Content'>) {
  const load = useCallback(async () => (Content as AsyncRouteComponent<object>).preload?.(), [Content]);
  return useLoadedAhead(load) ? (
    <Beside>
      <Content />
    </Beside>
  ) : null;
}

/** A line under the top bar while the next screen is on its way; one that comes at once shows none. */
function Underway() {
  const isLoading = useRouterState({ select: (state) => state.isLoading });
  return isLoading ? <div className={classes.underway} aria-hidden="true" /> : null;
}
