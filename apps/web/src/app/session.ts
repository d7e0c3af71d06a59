import type { PendingClaims, SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import type { Workgroup } from '@albedo/contract/workgroups/workgroups.schema';
import { useSyncExternalStore } from 'react';

export interface Session {
  readonly token: string;
  readonly user: SessionClaims;
  /** Name of the workgroup that the person looks at. */
  readonly workgroup: string;
  /** The workgroups of the user, with their addons and settings; null until the server told them. */
  readonly workgroups: readonly Workgroup[] | null;
}

/** A sign-in that is not complete: the second factor is missing, or has to be set up first. */
export interface PendingSignIn {
  readonly token: string;
  readonly kind: PendingClaims['mfa'];
  /** Epoch ms. */
  readonly expiresAt: number;
}

/** What a granted token is good for. */
export type TokenKind = 'session' | PendingSignIn['kind'];

/** Why there is no session any more. */
export type SignOutReason = 'asked' | 'expired';

const TOKEN_KEY = 'albedo.token';
const WORKGROUP_KEY = 'albedo.workgroup';

let current: Session | null = null;
let pending: PendingSignIn | null = null;
const watchers = new Set<() => void>();
const signOutHandlers = new Set<(reason: SignOutReason) => void>();

export const getSession = (): Session | null => current;
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
  if ('mfa' in claims) {
    pending = { token, kind: claims.mfa, expiresAt: claims.exp * 1000 };
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

export function switchWorkgroup(workgroup: string): void {
  if (!current || current.workgroup === workgroup || !current.user.scopes[workgroup]) return;
  localStorage.setItem(WORKGROUP_KEY, workgroup);
  change({ ...current, workgroup });
}

/** Takes what the server told of the workgroups; what is the same changes nothing. */
export function takeWorkgroups(workgroups: readonly Workgroup[]): void {
  if (current && JSON.stringify(current.workgroups) !== JSON.stringify(workgroups))
    change({ ...current, workgroups });
}

/** Takes up the session of the last visit; answers false when there was one that is over. */
export function restoreSession(): boolean {
  const token = localStorage.getItem(TOKEN_KEY);
  if (token === null) return true;
  try {
    change(readToken(token));
    return true;
  } catch {
    // Whatever is wrong with a kept token, the way out is the same: sign in again.
    localStorage.removeItem(TOKEN_KEY);
    return false;
  }
}

/** Signing in or out in another tab of the same browser counts here too. */
export function followOtherTabs(): void {
  window.addEventListener('storage', (event) => {
    if (event.key !== TOKEN_KEY || event.newValue === current?.token) return;
    if (event.newValue === null) signOut('asked');
    else restoreSession();
  });
}

function change(session: Session | null): void {
  current = session;
  for (const watcher of watchers) watcher();
}

function readToken(token: string): Session {
  const user = decodeClaims(token) as SessionClaims;
  if (!user.scopes) throw new Error('The session token cannot be read.');
  if (user.exp * 1000 <= Date.now()) throw new Error('The session token has expired.');
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
  const found = wanted.find((name) => name && user.scopes[name]);
  if (!found) throw new Error("You don't have access to any workgroups, please contact an admin or support");
  return found;
}
