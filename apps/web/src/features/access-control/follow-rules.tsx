import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { followRules } from './access-control.queries.ts';

/** Rules open and close screens: the guards of the one that is open decide again when they change. */
export function FollowRules() {
  const router = useRouter();
  useEffect(() => followRules(() => void router.invalidate()), [router]);
  return null;
}
