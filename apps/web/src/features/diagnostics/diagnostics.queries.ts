import { diagnosticsApi } from '@albedo/contract/diagnostics/diagnostics.api';
import { FRONTEND_VERSION } from '@albedo/contract/product';
import { call } from '../../app/call.ts';
import { getSession, onPersonGone } from '../../app/session.ts';

/** Pages whose visits are not counted: the start, and reports. Source: specification 1, section 4. */
const isCounted = (path: string): boolean => path !== '/' && !path.startsWith('/report');

/** The page that is looked at; rendering it again, as a switch of the workgroup does, counts as no other view. */
let viewed: string | null = null;
onPersonGone(() => {
  viewed = null;
  stay = null;
});

/** The current page, and since when it is in sight (`performance.now()`); `since` is null while it is hidden. */
let stay: { wg: string; location: string; page: string; since: number | null } | null = null;

/**
 * Reports the page that the signed-in user opened, and how long they looked at the one before. `page` is the address without
 * ids. Never fails: counting must not disturb anybody.
 */
export async function reportView(path: string, page = path): Promise<void> {
  const session = getSession();
  if (!session?.user.email || path === viewed) return;
  reportStay();
  viewed = path;
  stay = null;
  if (!isCounted(path)) return;
  stay = { wg: session.workgroup, location: path, page, since: document.hidden ? null : performance.now() };
  await tell(session.workgroup, { location: path, ...(page === path ? {} : { page }) });
}

/** The longest stay that one report counts, s; a page in sight for hours is reported this often. */
export const LONGEST_STAY_S = 600;

/** Reports how long the page was in sight since the last report. `isInSight` says whether it counts from now on. */
export function reportStay(isInSight = !document.hidden): void {
  if (!stay) return;
  const { wg, location, page, since } = stay;
  const seconds = since === null ? 0 : Math.round((performance.now() - since) / 1000);
  stay.since = isInSight ? performance.now() : null;
  // Nobody looked at a machine that was asleep.
  const seenS = Math.min(seconds, LONGEST_STAY_S);
  if (seenS > 0) void tell(wg, { location, ...(page === location ? {} : { page }), seconds: seenS });
}

async function tell(wg: string, body: { location: string; page?: string; seconds?: number }): Promise<void> {
  await call(diagnosticsApi.frontendAnalytics, { params: { wg }, body }).catch(() => {
    // The next page is counted again.
  });
}

/** How often each failure was seen in this tab, by what it says and where. */
const seen = new Map<string, number>();
/** What is remembered at most, so that failures that never repeat cannot fill the memory. */
const SEEN_LIMIT = 200;

/**
 * Tells the server what went wrong. The same failure at the same place is counted and not sent again; nothing is sent
 * from a local host or without a workgroup. Answers how often it was seen, 0 without a workgroup. Source:
 * specification 1, section 8.
 */
export async function reportError(error: unknown, source: string): Promise<number> {
  const session = getSession();
  if (!session) return 0;
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const location = window.location.pathname;
  const key = `${location}\n${message}\n${stack}`;
  const times = (seen.get(key) ?? 0) + 1;
  if (times === 1 && seen.size >= SEEN_LIMIT) return times;
  seen.set(key, times);
  if (times > 1 || isLocalHost(window.location.hostname)) return times;
  const body = {
    location: location.slice(0, 500),
    message: message.slice(0, 1000) || 'Error',
    stack: stack.slice(0, 8000),
    context: { source, version: FRONTEND_VERSION },
  };
  await call(diagnosticsApi.frontendError, { params: { wg: session.workgroup }, body }).catch(() => {
    // Reporting a failure must not cause another.
  });
  return times;
}

export const isLocalHost = (host: string): boolean =>
  /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(host);
