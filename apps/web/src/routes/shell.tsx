import { QueryClientProvider } from '@tanstack/react-query';
import { useLocation, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { queryClient } from '../app/query-client.ts';
import { useSession } from '../app/session.ts';
import { followRules } from '../features/access-control/access-control.queries.ts';
import { AnnouncementBell } from '../features/announcements/announcement-bell.tsx';
import { AnnouncementsDialog } from '../features/announcements/announcements-dialog.tsx';
import { useBrandImages } from '../features/branding/use-brand-images.ts';
import { HelpPanel } from '../features/help/help-panel.tsx';
import { GlobalSearch } from '../features/search/global-search.tsx';
import { useSettings } from '../features/settings/settings.queries.ts';
import { Shell } from '../features/shell/shell.tsx';
import type { ShellSlots } from '../features/shell/shell-slots.ts';
import { SupportWidget } from '../features/support/support-widget.tsx';
import { SuspendedScreen } from '../features/workgroups/suspended-screen.tsx';
import { followWorkgroups } from '../features/workgroups/workgroups.queries.ts';

/** What stands around every screen behind sign-in; `children` in place of the route's own screen. */
export function ShellLayout({ children }: { children?: ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      <FilledShell>{children}</FilledShell>
    </QueryClientProvider>
  );
}

/** Inside the provider, so that what fills the slots may ask the server. */
function FilledShell({ children }: { children: ReactNode }) {
  const router = useRouter();
  // Addons, settings and rules open and close screens: the guards of the one that is open decide again.
  useEffect(() => followWorkgroups(() => void router.invalidate()), [router]);
  useEffect(() => followRules(() => void router.invalidate()), [router]);
  useBrandImages();
  const closed = useClosedWorkgroup();
  const { hiddenOrgs = [] } = useSettings();
  const support = (onClose: () => void) => <SupportWidget onClose={onClose} />;
  const slots: ShellSlots = {
    search: <GlobalSearch />,
    bell: <AnnouncementBell />,
    support,
    help: (onClose) => <HelpPanel onClose={onClose} />,
    dialogs: <AnnouncementsDialog />,
    hiddenWorkgroups: hiddenOrgs,
  };
  return (
    <Shell slots={slots}>
      {closed ? <SuspendedScreen displayName={closed} support={support} /> : children}
    </Shell>
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
