import { CatchBoundary, useLocation } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';

/** What stands beside the screen, once it is loaded. Where it cannot be, it is missing; the screen stays. */
export function Beside({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <CatchBoundary getResetKey={() => pathname} errorComponent={Nothing}>
      <Suspense>{children}</Suspense>
    </CatchBoundary>
  );
}

const Nothing = () => null;
