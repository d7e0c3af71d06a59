import { useLocation } from '@tanstack/react-router';
import { guardWithoutScreen } from '../app/route-table.ts';
import { useSession } from '../app/session.ts';
import { NoScreenPage } from './no-screen.tsx';
import { NotFoundInside, NotFoundPage } from './not-found.tsx';
import { ShellLayout } from './shell.tsx';

/** An address without a screen; whoever is signed in keeps the menu. */
export function OtherPage() {
  const session = useSession();
  const { pathname } = useLocation();
  if (!session) return <NotFoundPage />;
  return <ShellLayout>{guardWithoutScreen(pathname) ? <NoScreenPage /> : <NotFoundInside />}</ShellLayout>;
}
