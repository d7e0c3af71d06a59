import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { GlobalSearch } from '../features/search/global-search.tsx';
import { Shell } from '../features/shell/shell.tsx';
import { followWorkgroups } from '../features/workgroups/workgroups.queries.ts';

/** What stands around every screen behind sign-in. */
export function ShellLayout() {
  const router = useRouter();
  // Addons and settings open and close screens: the guards of the one that is open decide again.
  useEffect(() => followWorkgroups(() => void router.invalidate()), [router]);
  return <Shell search={<GlobalSearch />} />;
}
