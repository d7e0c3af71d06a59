import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { followWorkgroups } from './workgroups.queries.ts';

/** Addons and settings open and close screens: the guards of the one that is open decide again when they change. */
export function FollowWorkgroups() {
  const router = useRouter();
  useEffect(() => followWorkgroups(() => void router.invalidate()), [router]);
  return null;
}
