import type { AddonId } from '@albedo/contract/access/addons';
import type { RuleAction } from '@albedo/contract/access/resources';
import type { PendingClaims, SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import type { Caller } from './caller.ts';
import type { DeviceScope, GroupScope } from './device-scope.ts';
import type { Quotas } from './quotas.ts';

/** A screen with a display link: it sees what the maker of the link sees now, and of that what its dashboards ask. */
export interface DisplayCaller extends Caller {
  /** Id of the link. */
  display: string;
}

/** What the access check of routes and socket actions has to know about tokens, workgroups and devices. */
export interface Guard {
  /** Claims of a session token. Throws `request.unauthorized` when it is not (or no longer) good. */
  session(token: string): Promise<SessionClaims>;
  /** Takes down that a session is used. Throws `session.idle` where it was left alone for too long. */
  use(session: SessionClaims, use: { address: string; agent: string; isByHand: boolean }): Promise<void>;
  /** What people and workgroups may use. */
  readonly quotas: Quotas;
  /** The token that a socket may connect with: what its one-use ticket stands for. Null where it may not. */
  ticket(given: string): Promise<string | null>;
  /** Claims of a login token, which waits for a one-time code. Throws `session.code_expired`. */
  oneTimeCode(token: string): Promise<PendingClaims>;
  /** Claims of an enrolment or a session token. Throws `request.unauthorized`. */
  enrolling(token: string): Promise<PendingClaims | SessionClaims>;
  /** Throws `pack.token_invalid` unless the one-time token can still be used; does not use it up. */
  enrolment(token: string): Promise<void>;
  /** Who stands behind a display link. Throws `display.ended`, `display.elsewhere`. */
  display(token: string, address: string): Promise<DisplayCaller>;
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
