import { QueryClientProvider } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { queryClient } from '../../app/query-client.ts';
import { useSession } from '../../app/session.ts';
import { Shell } from './shell.tsx';
import { SuspendedScreen } from './suspended-screen.tsx';

/** What stands around every screen behind sign-in; `children` in place of the route's own screen. */
export function ShellFrame({ children }: { children?: ReactNode }) {
  const closed = useClosedWorkgroup();
  return (
    <QueryClientProvider client={queryClient}>
      <Shell>{closed ? <SuspendedScreen displayName={closed} /> : children}</Shell>
    </QueryClientProvider>
  );
}

/** What needs no workgroup stays open while the provider keeps everybody out of it. */
const WITHOUT_WORKGROUP = ['/profile', '/announcements', '/opsteam'];

/** Display name of the workgroup that the person looks at, where the provider closed it to the screen. */
function useClosedWorkgroup(): string | null {
  const session = useSession();
  const { pathname } = useLocation();
  const workgroup = session?.workgroups?.find(({ name }) => name === session.workgroup);
  const isAffected = !WITHOUT_WORKGROUP.some((path) => pathname.startsWith(path));
  return workgroup?.isSuspended && isAffected ? workgroup.displayName : null;
}
