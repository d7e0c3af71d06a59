import { scopeIn } from '@albedo/contract/access/permissions';
import type { PendingClaims, SecondFactor, SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import type { Workgroup } from '@albedo/contract/workgroups/workgroups.schema';
import { useSyncExternalStore } from 'react';

export interface Session {
  readonly token: string;
  readonly user: SessionClaims;
  /** Name of the workgroup that the person looks at. */
  readonly workgroup: string;
  /** The workgroups of the user, with their addons and settings; null until the server sent them. */
  readonly workgroups: readonly Workgroup[] | null;
}

/** A sign-in that is not complete: the second factor is missing, or has to be set up first. */
export interface PendingSignIn {
  readonly token: string;
  readonly kind: PendingClaims['mfa'];
  /** What the account has to complete the sign-in with. */
  readonly factors: readonly SecondFactor[];
  /** Epoch ms. */
  readonly expiresAt: number;
}

/** What a granted token is good for. */
export type TokenKind = 'session' | PendingSignIn['kind'];

/** Why there is no session any more. */
export type SignOutReason = 'asked' | 'expired';

/** The user belongs to no workgroup, and so there is nothing to sign in to. Source: specification 1, section 1. */
export class NoWorkgroupError extends Error {
  override readonly name = 'NoWorkgroupError';

  constructor() {
    super("You don't have access to any workgroups, please contact an admin or support", {
      cause: 'Cannot set initial workgroup',
    });
  }
}

const TOKEN_KEY = 'albedo.token';
const WORKGROUP_KEY = 'albedo.workgroup';
const CLOCK_KEY = 'albedo.clock';

let current: Session | null = null;
let pending: PendingSignIn | null = null;
const watchers = new Set<() => void>();
const personGoneHandlers = new Set<() => void>();
const signOutHandlers = new Set<(reason: SignOutReason) => void>();

/** The session outside of components; null when nobody is signed in. */
export const getSession = (): Session | null => current;
/** The sign-in that waits for its second factor; null where there is none. */
export const getPending = (): PendingSignIn | null => pending;

/** The token that calls carry: that of the session, or of the sign-in that is under way. */
export const bearerToken = (): string | null => current?.token ?? pending?.token ?? null;

/** Tells when somebody signs in or out, or switches the workgroup; the answer stops it. */
export function watchSession(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Called once for every end of a session, with its reason; the answer stops it. */
export function onSignOut(handler: (reason: SignOutReason) => void): () => void {
  signOutHandlers.add(handler);
  return () => signOutHandlers.delete(handler);
}

/** Called when the person of the session is gone, before anything is drawn for the next one; the answer stops it. */
export function onPersonGone(handler: () => void): () => void {
  personGoneHandlers.add(handler);
  return () => personGoneHandlers.delete(handler);
}

/** The session, or null when nobody is signed in; the component renders again when it changes. */
export const useSession = (): Session | null => useSyncExternalStore(watchSession, getSession);

/** The session of a screen that only signed-in people can open. */
export function useSignedIn(): Session {
  const session = useSession();
  if (!session) throw new Error('This screen needs a session.');
  return session;
}

/** Name of the workgroup that the person looks at. */
export const useWorkgroup = (): string => useSignedIn().workgroup;

/**
 * Takes whatever token the server granted. One that is no session is held in memory only, until the sign-in is
 * complete or `forgetPending` is called.
 *
 * Errors: as `signIn`.
 */
export function takeToken(token: string): TokenKind {
  const claims = decodeClaims(token) as SessionClaims | PendingClaims;
  noteClock(claims.iat);
  if ('mfa' in claims) {
    const { mfa: kind, factors, exp } = claims;
    pending = { token, kind, factors, expiresAt: exp * 1000 - (serverNow() - Date.now()) };
    return claims.mfa;
  }
  signIn(token);
  return 'session';
}

export function forgetPending(): void {
  pending = null;
}

/**
 * Takes the session token that the server granted and keeps it for the next visit.
 *
 * Errors: a text that is no token, is over, or opens no workgroup is refused with a sentence for people.
 */
export function signIn(token: string): Session {
  const session = readToken(token);
  localStorage.setItem(TOKEN_KEY, token);
  pending = null;
  change(session);
  return session;
}

/** How far the clock of the server is ahead of the one of this machine, ms. */
let clockAheadMs: number | null = null;
/** Differences below are the way of an answer, ms. */
const CLOCK_STEP_MS = 60_000;

/** A token was made this instant (`iat`, seconds): what the clock of this machine says then is how wrong it is. */
function noteClock(iat: number): void {
  const aheadMs = iat * 1000 - Date.now();
  clockAheadMs = Math.abs(aheadMs) > CLOCK_STEP_MS ? aheadMs : 0;
  localStorage.setItem(CLOCK_KEY, String(clockAheadMs));
}

/** Now by the clock of the server, epoch ms: one of this machine that is hours off ends no session. */
export function serverNow(): number {
  clockAheadMs ??= Number(localStorage.getItem(CLOCK_KEY) ?? 0) || 0;
  return Date.now() + clockAheadMs;
}

/** Takes a new token of the same session, which says what is new of its user; nothing else changes. */
export function renewSession(token: string): void {
  if (!current) return;
  const session = asBefore(readToken(token));
  localStorage.setItem(TOKEN_KEY, token);
  change(session);
}

/** Ends the session in all tabs; callbacks of `onSignOut` get the reason. */
export function signOut(reason: SignOutReason): void {
  localStorage.removeItem(TOKEN_KEY);
  if (!current) return;
  change(null);
  for (const handler of signOutHandlers) handler(reason);
}

/** Signs out the other tabs of this browser; the session here lives until `signOut`. */
export function signOutOtherTabs(): void {
  localStorage.removeItem(TOKEN_KEY);
}

/** Looks at another workgroup and remembers the choice; a workgroup without a scope changes nothing. */
export function switchWorkgroup(workgroup: string): void {
  if (!current || current.workgroup === workgroup || !scopeIn(current.user, workgroup)) return;
  localStorage.setItem(WORKGROUP_KEY, workgroup);
  change({ ...current, workgroup });
}

/** Takes the workgroups as the server sent them; equal data changes nothing. */
export function takeWorkgroups(workgroups: readonly Workgroup[]): void {
  if (current && JSON.stringify(current.workgroups) !== JSON.stringify(workgroups))
    change({ ...current, workgroups });
}

/** Takes up the session of the last visit; answers false when there was one that cannot go on. */
export function restoreSession(): boolean {
  const token = localStorage.getItem(TOKEN_KEY);
  if (token === null) return true;
  try {
    change(asBefore(readToken(token)));
    return true;
  } catch {
    // Whatever is wrong with a kept token, the way out is the same: sign in again, where the page says more.
    localStorage.removeItem(TOKEN_KEY);
    return false;
  }
}

/** What happened in another tab, after the session here has followed it or may follow it. */
export interface OtherTab {
  /** Somebody signed in there who is not the person of this tab; the session here is theirs now. */
  onUser?: () => void;
  /** The same person looks at another workgroup there. Left out, the session switches and nothing else does. */
  onWorkgroup?: (workgroup: string) => void;
}

/** Signing in, signing out and switching in another tab of the same browser counts here too; the answer stops it. */
export function followOtherTabs(told: OtherTab = {}): () => void {
  const stop = new AbortController();
  const follow = ({ key }: Pick<StorageEvent, 'key'>) => {
    // A null key says that everything may have changed.
    if (key === TOKEN_KEY || key === null) followToken(told);
    if (key === WORKGROUP_KEY || key === null) followWorkgroup(told);
  };
  window.addEventListener('storage', follow, { signal: stop.signal });
  // A tab that slept missed the events.
  const handleShown = () => document.visibilityState === 'visible' && follow({ key: null });
  document.addEventListener('visibilitychange', handleShown, { signal: stop.signal });
  return () => stop.abort();
}

function followToken({ onUser }: OtherTab): void {
  const token = localStorage.getItem(TOKEN_KEY);
  const before = current;
  if (token === (before?.token ?? null)) return;
  if (token === null) signOut('asked');
  else if (!restoreSession()) signOut('expired');
  else if (before?.user._id !== current?.user._id) onUser?.();
}

function followWorkgroup({ onWorkgroup = switchWorkgroup }: OtherTab): void {
  const wanted = localStorage.getItem(WORKGROUP_KEY);
  if (wanted && current && wanted !== current.workgroup && scopeIn(current.user, wanted)) onWorkgroup(wanted);
}

/** The same person with a new token goes on where they are, with what is known of the workgroups. */
function asBefore(session: Session): Session {
  if (!current || current.user._id !== session.user._id) return session;
  const { workgroup, workgroups } = current;
  return { ...session, workgroups, ...(scopeIn(session.user, workgroup) ? { workgroup } : {}) };
}

function change(session: Session | null): void {
  const before = current;
  current = session;
  if (before && before.user._id !== session?.user._id) for (const handler of personGoneHandlers) handler();
  for (const watcher of watchers) watcher();
}

function readToken(token: string): Session {
  const user = decodeClaims(token) as SessionClaims;
  if (!user.scopes) throw new Error('The session token cannot be read.');
  if (user.exp * 1000 <= serverNow()) throw new Error('The session token has expired.');
  return { token, user, workgroup: initialWorkgroup(user), workgroups: null };
}

function decodeClaims(token: string): SessionClaims | PendingClaims {
  const payload = token.split('.')[1] ?? '';
  const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (char) =>
    char.charCodeAt(0),
  );
  const claims = JSON.parse(new TextDecoder().decode(bytes)) as Partial<SessionClaims> | null;
  if (!claims?._id || typeof claims.exp !== 'number') throw new Error('The session token cannot be read.');
  return claims as SessionClaims | PendingClaims;
}

/** The remembered workgroup if the user may see it, else the default one, else the first. */
function initialWorkgroup(user: SessionClaims): string {
  const wanted = [localStorage.getItem(WORKGROUP_KEY), user.defaultWorkgroup, Object.keys(user.scopes)[0]];
  const found = wanted.find((name) => name && scopeIn(user, name));
  if (!found) throw new NoWorkgroupError();
  return found;
}
