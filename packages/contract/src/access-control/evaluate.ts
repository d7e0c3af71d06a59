import { holds, mayRunCommands, type WorkgroupScope } from '../access/permissions.ts';
import { type AccessAction, ALL_RESOURCES, type ResourceType } from '../access/resources.ts';
import { type Needed, NO_PRINCIPAL, type PrincipalType, type RuleEffect } from './access-control.schema.ts';

/** Somebody as the rules see them. A token has no roles. */
export interface Principal {
  kind: 'user' | 'token';
  id: string;
  /** Id of the device group; null for one of the whole workgroup. */
  devGroup: string | null;
  /** Ids of the roles. */
  roles: readonly string[];
}

export interface Resource {
  type: ResourceType;
  /** `all` for what is about no resource in particular. */
  id: string;
}

/** What of a rule decides. */
export interface RuleFacts {
  resourceType: ResourceType;
  resourceId: string;
  actions: readonly AccessAction[];
  principalType: PrincipalType;
  principalId: string;
  effect: RuleEffect;
}

export interface Verdict<R extends RuleFacts> {
  isAllowed: boolean;
  /** The rules that match, the one that decides first, the others in falling weight; empty where none matches. */
  rules: R[];
}

/** What a principal type weighs: a person or a token before a role, a role before a group, one before any. */
const WEIGHTS: Readonly<Record<PrincipalType, number>> = {
  User: 4,
  API_Token: 4,
  Role: 3,
  Device_Group: 2,
  Device_Group_API_Token: 2,
  Device_Group_Users: 1,
  Device_Group_API_Token_Users: 1,
  Workgroup_Users: 1,
  Device_Group_API_Token_Workgroup_Users: 1,
};

/**
 * Whether the rules allow it. The most specific rule decides: first by principal (a user or token before a role, before
 * one device group, before a kind of group), then by resource (one before all). Of rules that weigh the same a denial
 * decides. No rule means no.
 */
export function evaluate<R extends RuleFacts>(
  rules: readonly R[],
  principal: Principal,
  resource: Resource,
  action: AccessAction,
): Verdict<R> {
  const matching = rules
    .filter((rule) => covers(rule, resource, action) && isAbout(rule, principal))
    .sort((a, b) => weightOf(b) - weightOf(a));
  return { isAllowed: matching[0]?.effect === 'Allow', rules: matching };
}

const covers = (rule: RuleFacts, resource: Resource, action: AccessAction): boolean =>
  rule.resourceType === resource.type &&
  (rule.resourceId === ALL_RESOURCES || rule.resourceId === resource.id) &&
  rule.actions.includes(action);

/** Principal first, then resource, then the denial: each counts only where the ones before are equal. */
const weightOf = ({ principalType, resourceId, effect }: RuleFacts): number =>
  WEIGHTS[principalType] * 4 + (resourceId === ALL_RESOURCES ? 0 : 2) + (effect === 'Deny' ? 1 : 0);

function isAbout(
  { principalType, principalId }: RuleFacts,
  { kind, id, devGroup, roles }: Principal,
): boolean {
  const isUser = kind === 'user';
  switch (principalType) {
    case 'User':
      return isUser && principalId === id;
    case 'API_Token':
      return !isUser && principalId === id;
    case 'Role':
      return isUser && roles.includes(principalId);
    case 'Device_Group':
      return isUser && devGroup !== null && principalId === devGroup;
    case 'Device_Group_API_Token':
      return !isUser && devGroup !== null && principalId === devGroup;
    default:
      return principalId === NO_PRINCIPAL && isOfKind(principalType, isUser, devGroup !== null);
  }
}

function isOfKind(type: PrincipalType, isUser: boolean, isInGroup: boolean): boolean {
  if (isUser) return type === (isInGroup ? 'Device_Group_Users' : 'Workgroup_Users');
  return type === (isInGroup ? 'Device_Group_API_Token_Users' : 'Device_Group_API_Token_Workgroup_Users');
}

const NEEDED: Readonly<Record<ResourceType, Partial<Record<AccessAction, Needed>>>> = {
  DeviceCommand: { read: 'read', run: 'commands', manage: 'controlDevices' },
  Dashboard: { view: 'read', edit: 'coordinate', delete: 'coordinate', create: 'coordinate' },
  Entity: { view: 'read', edit: 'coordinate', delete: 'coordinate', create: 'coordinate' },
};

/** The right that an action needs besides the rules: rules are in addition to permissions, never in place of them. */
export const neededFor = (type: ResourceType, action: AccessAction): Needed => NEEDED[type][action] ?? 'read';

export const holdsNeeded = (scope: WorkgroupScope, needed: Needed): boolean =>
  needed === 'commands' ? mayRunCommands(scope) : holds(scope, needed);
