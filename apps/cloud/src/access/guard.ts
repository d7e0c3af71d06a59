import type { AddonId } from '@albedo/contract/access/addons';
import type { RuleAction } from '@albedo/contract/access/resources';
import type { PendingClaims, SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import type { DeviceScope, GroupScope } from './device-scope.ts';

/** What the access check of routes and socket actions has to know about tokens, workgroups and devices. */
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
  hasAddon(workgroup: string, addon: AddonId): boolean;
  /** What the access-control rules say, where they count; `id` names the resource or is `all`. */
  rulesAllow(session: SessionClaims, workgroup: string, asked: RuleAction & { id: string }): Promise<boolean>;
  /** The devices that the session may know of in the workgroup. */
  scope(session: SessionClaims, workgroup: string): DeviceScope;
  /** The scopes of all device groups of the workgroup. */
  scopesIn(workgroup: string): readonly GroupScope[];
  /** Throws `device.not_found` unless the device is one of the workgroup that the scope has. */
  device(workgroup: string, device: string, scope: DeviceScope): Promise<void>;
}

/** The token of an `authorization: bearer …` header; null where there is none. */
export function bearerToken(header: string | undefined): string | null {
  return /^bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? null;
}
