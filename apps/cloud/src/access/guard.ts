import type { Access } from '@albedo/contract/access/access';
import { holds, mayRunCommands, scopeIn, type WorkgroupScope } from '@albedo/contract/access/permissions';
import type { PendingClaims, SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import { AppError } from '../errors/app-error.ts';
import type { DeviceScope } from './device-scope.ts';

/** What the access check of routes and socket actions has to know about tokens and devices. */
export interface Guard {
  /** Claims of a session token. Throws `request.unauthorized` when it is not (or no longer) good. */
  session(token: string): Promise<SessionClaims>;
  /** Claims of a login token, which waits for a one-time code. Throws `session.code_expired`. */
  oneTimeCode(token: string): Promise<PendingClaims>;
  /** Claims of an enrolment or a session token. Throws `request.unauthorized`. */
  enrolling(token: string): Promise<PendingClaims | SessionClaims>;
  /** Throws `pack.token_invalid` unless the one-time token can still be used; does not use it up. */
  enrolment(token: string): Promise<void>;
  /** False while the provider keeps everybody out of the workgroup. */
  isOpen(workgroup: string): boolean;
  /** The devices that the session may know of in the workgroup. */
  scope(session: SessionClaims, workgroup: string): DeviceScope;
  /** Throws `device.not_found` unless the device is one of the workgroup that the scope has. */
  device(workgroup: string, device: string, scope: DeviceScope): Promise<void>;
}

/** The token of an `authorization: bearer …` header; null where there is none. */
export function bearerToken(header: string | undefined): string | null {
  return /^bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? null;
}

/**
 * Throws `request.forbidden` unless the session may use what is declared so, in the workgroup it names.
 * Only for kinds of access that need a session.
 */
export function checkAccess(access: Access, session: SessionClaims, workgroup: string | null): void {
  if (!isAllowed(access, session, workgroup)) throw new AppError('request.forbidden', { workgroup });
}

/** As `checkAccess`, as an answer. */
export function isAllowed(access: Access, session: SessionClaims, workgroup: string | null): boolean {
  switch (access.kind) {
    case 'signedIn':
      return session.apiToken !== true;
    case 'apiToken':
      return session.apiToken === true;
    case 'staff':
      return session.staff === true;
    case 'addonManager':
      return session.staff === true && session.addonManager === true;
    default: {
      const scope = workgroup === null ? undefined : scopeIn(session, workgroup);
      return scope !== undefined && allows(access, scope);
    }
  }
}

function allows(access: Access, scope: WorkgroupScope): boolean {
  switch (access.kind) {
    case 'member':
      return true;
    case 'can':
      return access.permissions.some((wanted) => holds(scope, wanted));
    case 'commands':
      return mayRunCommands(scope);
    default:
      return false;
  }
}
