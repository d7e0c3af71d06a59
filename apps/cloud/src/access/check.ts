import {
  type Access,
  FRESH_MINUTES,
  isBound,
  lackOf,
  type Rule,
  type Who,
} from '@albedo/contract/access/access';
import { scopeIn } from '@albedo/contract/access/permissions';
import { ALL_RESOURCES, type RuleAction } from '@albedo/contract/access/resources';
import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import { ADDONS } from '@albedo/contract/workgroups/addons.schema';
import { AppError } from '../errors/app-error.ts';
import type { DeviceScope } from './device-scope.ts';
import type { Guard } from './guard.ts';

/** Who asks for what, as it came in. */
export interface Asked {
  session: SessionClaims;
  /** Null where the address names none. */
  workgroup: string | null;
  params: unknown;
  /** Undefined as long as it has not come: what depends on it is left to a later check. */
  body: unknown;
  /** Id of the device that it is about. */
  device: string | undefined;
}

/**
 * The one check of a declared access, for HTTP and for sockets alike, of everything that needs a session. Answers the
 * devices that exist for the caller; null where no workgroup is named.
 *
 * Strangers get `request.forbidden` and learn nothing else. Members learn what is missing: throws
 * `access.permission_missing`, `access.role_missing`, `access.no_commands`, `access.in_person`, `workgroup.suspended`, `device.not_found`, `device_group.bound`,
 * `access.addon_missing`, `access.denied`, `session.not_fresh`.
 */
export async function demandAccess(guard: Guard, access: Access, asked: Asked): Promise<DeviceScope | null> {
  const { session, workgroup, device } = asked;
  const refusal = refusalOf(access.who, session, workgroup);
  if (refusal) throw refusal;
  let scope: DeviceScope | null = null;
  if (workgroup !== null) {
    // The staff still see to what they suspended.
    if (!isForStaff(access.who) && !guard.isOpen(workgroup)) throw new AppError('workgroup.suspended');
    scope = guard.scope(session, workgroup);
    if (device !== undefined) await guard.device(workgroup, device, scope);
    await demandInWorkgroup(guard, access, { ...asked, workgroup });
  }
  demandFresh(access, session, asked.body);
  return scope;
}

/** Whether somebody may hear of what an endpoint answers: one that reads, and asks for nothing by its parameters. */
export function mayRead(guard: Guard, access: Access, session: SessionClaims, workgroup: string): boolean {
  const isMissing = access.addon !== undefined && !guard.hasAddon(workgroup, access.addon);
  const isBoundAway = access.unbound === true && isBound(scopeIn(session, workgroup));
  return refusalOf(access.who, session, workgroup) === null && !isMissing && !isBoundAway;
}

export const isForStaff = ({ kind }: Who): boolean => kind === 'staff' || kind === 'addonManager';

async function demandInWorkgroup(
  guard: Guard,
  { unbound, addon, rule }: Access,
  asked: Asked & { workgroup: string },
): Promise<void> {
  const { session, workgroup } = asked;
  if (unbound && isBound(scopeIn(session, workgroup))) throw new AppError('device_group.bound');
  if (addon !== undefined && !guard.hasAddon(workgroup, addon)) {
    throw new AppError('access.addon_missing', { addon: ADDONS[addon].name });
  }
  if (rule) await demandRule(guard, rule, asked);
}

async function demandRule(guard: Guard, rule: Rule, asked: Asked & { workgroup: string }): Promise<void> {
  const { session, workgroup } = asked;
  const id = idIn(rule.on, asked);
  // The body that names it has not come yet.
  if (id === undefined) return;
  const { resource, action } = rule;
  const wanted = { resource, action, id } as RuleAction & { id: string };
  if (await guard.rulesAllow(session, workgroup, wanted)) return;
  throw new AppError('access.denied', { action, resource: RESOURCE_WORDS[resource] });
}

/** Id of the resource; undefined as long as the body that names it has not come. A body that names none means all. */
function idIn(on: Rule['on'], { params, body }: Asked): string | undefined {
  if (on === 'all') return ALL_RESOURCES;
  const [place, name = ''] = on.split('.');
  const given = place === 'params' ? params : body;
  if (given === undefined) return undefined;
  const id = valueIn(given, name);
  return typeof id === 'string' ? id : ALL_RESOURCES;
}

/** Names come from outside, so inherited ones do not count. */
function valueIn(given: unknown, name: string): unknown {
  if (typeof given !== 'object' || given === null || !Object.hasOwn(given, name)) return undefined;
  return (given as Record<string, unknown>)[name];
}

/** Throws `session.not_fresh` unless the caller proved lately to be there, where that is asked for. */
export function demandFresh({ fresh }: Access, session: SessionClaims, body: unknown): void {
  if (!fresh) return;
  const isAsked =
    fresh === true || Object.entries(fresh.body).every(([name, value]) => valueIn(body, name) === value);
  if (isAsked && !isFresh(session)) throw new AppError('session.not_fresh');
}

/** `confirmedAt` is in seconds. A clock that was set back makes nobody fresh for longer. */
function isFresh({ confirmedAt }: SessionClaims): boolean {
  if (confirmedAt === undefined) return false;
  const ageS = Date.now() / 1000 - confirmedAt;
  return ageS <= FRESH_MINUTES * 60 && ageS > -FRESH_MINUTES * 60;
}

/** Why the session is not of those whom something is for; null where it is. */
function refusalOf(who: Who, session: SessionClaims, workgroup: string | null): AppError | null {
  const lack = lackOf(who, {
    scope: workgroup === null ? undefined : scopeIn(session, workgroup),
    isStaff: session.staff === true,
    isAddonManager: session.addonManager === true,
    isApiToken: session.apiToken === true,
  });
  switch (lack) {
    case null:
      return null;
    case 'stranger':
      return new AppError('request.forbidden', { workgroup });
    case 'inPerson':
      return new AppError('access.in_person');
    case 'commands':
      return new AppError('access.no_commands');
    case 'permission': {
      const missing = who.kind === 'can' ? who.permissions.join(', ') : '';
      return new AppError('access.permission_missing', { missing });
    }
    case 'role':
      return new AppError('access.role_missing', { roles: rolesOf(who) });
  }
}

const rolesOf = (who: Who): string => (who.kind === 'can' ? (who.roles ?? []).join(', ') : '');

const RESOURCE_WORDS: Readonly<Record<Rule['resource'], string>> = {
  DeviceCommand: 'device commands',
  Dashboard: 'dashboards',
  Entity: 'entities',
};
