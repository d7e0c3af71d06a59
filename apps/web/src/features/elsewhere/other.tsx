import { useLocation } from '@tanstack/react-router';
import { laterAt } from '../../app/later.ts';
import { NotFoundInside, NotFoundPage } from '../../app/not-found.tsx';
import { reservedScreen } from '../../app/route-table.ts';
import { useSession } from '../../app/session.ts';
import { NoScreenPage } from './no-screen.tsx';

const Frame = laterAt('frame');

/** An address without a screen; people who are signed in keep the menu. */
export function OtherPage() {
  const session = useSession();
  const { pathname } = useLocation();
  if (!session) return <NotFoundPage />;
  return <Frame>{reservedScreen(pathname) ? <NoScreenPage /> : <NotFoundInside />}</Frame>;
}
