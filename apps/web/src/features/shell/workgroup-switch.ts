import { scopeIn } from '@albedo/contract/access/permissions';
import type { AnyRouter } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { startPage } from '../../app/base.ts';
import { queryClient } from '../../app/query-client.ts';
import { getSession, switchWorkgroup } from '../../app/session.ts';
import { disconnectSocket } from '../../app/socket.ts';
import { deviceListQuery } from '../devices/devices.queries.ts';
import { refreshWorkgroups } from '../workgroups/workgroups.queries.ts';

/** How long the old workgroup's screen stays away at most while the new one loads. Source: specification 2, section 4. */
const FETCHING_MS = 3000;

/** First parts of the keys of what belongs to the person, whichever workgroup they look at. */
const OF_THE_PERSON = new Set<unknown>(['workgroups', 'settings', 'profile', 'version']);

/** Name of the workgroup that is being opened, null when none is. */
let fetching: string | null = null;
const watchers = new Set<() => void>();

/** The workgroup that is being opened; meanwhile no screen is drawn. */
export const useFetchingWorkgroup = (): string | null =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => fetching,
  );

/**
 * Leaves a workgroup for another one, in this order: the socket ends and the screen goes; what the cache holds of the
 * old one is thrown away, and answers still under way find nothing to go to; the choice is remembered; the shell
 * reconnects with the token and the new name; settings and devices are asked for, all else by the screens that need
 * it; and at last the address becomes `path`, or the default page. Source: specification 2, section 4.
 *
 * A workgroup that is looked at already, or that the user may not see, changes nothing.
 */
export async function openWorkgroup(router: AnyRouter, workgroup: string, path?: string): Promise<void> {
  const session = getSession();
  if (!session || session.workgroup === workgroup || !scopeIn(session.user, workgroup)) return;
  disconnectSocket();
  change(workgroup);
  try {
    await enter(router, workgroup, path);
  } finally {
    // Another switch that came in between draws its own screen.
    if (fetching === workgroup) change(null);
  }
}

async function enter(router: AnyRouter, workgroup: string, path: string | undefined): Promise<void> {
  // The screen of the old workgroup is gone when this comes back, and asks for nothing any more.
  await queryClient.cancelQueries();
  queryClient.removeQueries({ predicate: ({ queryKey }) => !OF_THE_PERSON.has(queryKey[0]) });
  queryClient.getMutationCache().clear();
  switchWorkgroup(workgroup);
  await atMost(FETCHING_MS, reload(workgroup));
  // Another switch, or the end of the session, came in between: the address is theirs.
  if (getSession()?.workgroup !== workgroup) return;
  await router.navigate({ href: withoutOldQuery(path) ?? startPage() });
}

async function reload(workgroup: string): Promise<void> {
  void queryClient.prefetchQuery(deviceListQuery(workgroup));
  await refreshWorkgroups();
}

/** The query of /analysis names devices and fields of the workgroup that was left. */
function withoutOldQuery(path: string | undefined): string | undefined {
  return path && /^\/analysis(\?|$)/.test(path) ? '/analysis' : path;
}

/** Resolves with the work, also when it fails (the screens say so themselves), and after `ms` in any case. */
function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    work.then(done, done);
  });
}

function change(next: string | null): void {
  fetching = next;
  for (const watcher of watchers) watcher();
}
