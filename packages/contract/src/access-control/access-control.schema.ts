import { z } from 'zod';
import {
  type AccessAction,
  ALL_RESOURCES,
  RESOURCE_ACTIONS,
  type ResourceType,
} from '../access/resources.ts';
import { issuesOf } from '../http/issues.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { accessControlIssues } from './access-control.errors.ts';

const ownIssue = issuesOf(accessControlIssues);

/** Principal id of a rule whose principal type names nobody in particular. */
export const NO_PRINCIPAL = '-';

export const resourceType = z.enum([
  'DeviceCommand',
  'Dashboard',
  'Entity',
]) satisfies z.ZodType<ResourceType>;
export const accessAction = z.enum([
  'read',
  'run',
  'manage',
  'view',
  'edit',
  'delete',
  'create',
]) satisfies z.ZodType<AccessAction>;

/**
 * Kinds of people a rule can be about, most particular first; kinds of one rank weigh the same.
 *
 * `User`, `Role`, `API_Token` and the two `Device_Group` kinds that end in no further word name one thing by its id:
 * `Device_Group` the users of one group, `Device_Group_API_Token` the tokens of one group. The others have the id `-`:
 * `Device_Group_Users` are the users of any group, `Workgroup_Users` those of none;
 * `Device_Group_API_Token_Users` the tokens of any group, `Device_Group_API_Token_Workgroup_Users` those of none.
 */
export const principalType = z.enum([
  'User',
  'API_Token',
  'Role',
  'Device_Group',
  'Device_Group_API_Token',
  'Device_Group_Users',
  'Device_Group_API_Token_Users',
  'Workgroup_Users',
  'Device_Group_API_Token_Workgroup_Users',
]);
export type PrincipalType = z.infer<typeof principalType>;

/** Principal types whose rules name nobody in particular. */
export const UNNAMED_PRINCIPALS: readonly PrincipalType[] = [
  'Device_Group_Users',
  'Device_Group_API_Token_Users',
  'Workgroup_Users',
  'Device_Group_API_Token_Workgroup_Users',
];

export const ruleEffect = z.enum(['Allow', 'Deny']);
export type RuleEffect = z.infer<typeof ruleEffect>;

/** Id of one resource, as it stands in the address of its page, or `all`. Not a name: names may change. */
export const resourceId = z
  .string()
  .trim()
  .min(1, 'Required')
  .max(200)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._:-]*$/,
    'An ID has only letters, digits, dots, colons, dashes and underscores, no spaces. Use all for every resource.',
  )
  .overwrite((id) => (id.toLowerCase() === ALL_RESOURCES ? ALL_RESOURCES : id));

const fields = z.object({
  resourceType,
  resourceId,
  actions: z.array(accessAction).min(1, 'Choose at least one action.').max(4),
  principalType,
  principalId: z.string().trim().min(1, 'Required').max(200),
  effect: ruleEffect,
});

/** A rule as it is written: its actions are ones of its resource type, and its principal fits its type. */
export const newAccessRule = fields.superRefine((rule, context) => {
  const known: readonly string[] = RESOURCE_ACTIONS[rule.resourceType];
  for (const action of rule.actions) {
    if (known.includes(action)) continue;
    const facts = { type: rule.resourceType, action, actions: known.join(', ') };
    context.addIssue(ownIssue(['actions'], 'issue.action_of', facts));
  }
  if (rule.actions.includes('create') && rule.resourceId !== ALL_RESOURCES) {
    context.addIssue(ownIssue(['actions'], 'issue.create_all'));
  }
  const names = rule.principalId !== NO_PRINCIPAL;
  if (names === UNNAMED_PRINCIPALS.includes(rule.principalType)) {
    const issue = names ? 'issue.principal_unnamed' : 'issue.principal_missing';
    context.addIssue(ownIssue(['principalId'], issue, { type: rule.principalType }));
  }
});
export type NewAccessRule = z.infer<typeof newAccessRule>;

export const accessRule = fields.extend({
  _id: z.uuid(),
  resourceId: z.string(),
  createdBy: z.string(),
  /** Epoch ms. */
  createdAt: z.number().int(),
});
export type AccessRule = z.infer<typeof accessRule>;

/** What the caller may do, by resource type, then by resource: `all`, and each one where that is something else. */
export const accessMap = z.object({
  /** False without the addon: then nothing is restricted and the map is empty. */
  isOn: z.boolean(),
  resources: z.record(resourceType, z.record(z.string(), z.array(accessAction))),
});
export type AccessMap = z.infer<typeof accessMap>;

/** The right of the workgroup that an action needs, whatever the rules say. */
export const needed = z.enum(['read', 'coordinate', 'controlDevices', 'commands']);
export type Needed = z.infer<typeof needed>;

export const whyQuery = z
  .object({
    principalType: z.enum(['User', 'API_Token']),
    principalId: z.uuid(),
    resourceType,
    resourceId: resourceId.default(ALL_RESOURCES),
    action: accessAction,
  })
  .refine((asked) => (RESOURCE_ACTIONS[asked.resourceType] as readonly string[]).includes(asked.action), {
    path: ['action'],
    message: 'This type of resource has no such action.',
  });

/** Why somebody may do something, or may not. */
export const explanation = z.object({
  /** Rules and permission together. */
  isAllowed: z.boolean(),
  /** The addon is on, so the rules count. */
  isOn: z.boolean(),
  isAllowedByRules: z.boolean(),
  permission: z.object({ needed, isHeld: z.boolean() }),
  principal: z.object({ name: z.string(), devGroup: z.string().nullable(), roles: z.array(z.string()) }),
  /** The rules about this principal, resource and action: the one that decides first, the others in falling weight. */
  rules: z.array(accessRule),
});
export type Explanation = z.infer<typeof explanation>;

export const onAccessRule = inWorkgroup.extend({ rule: z.uuid() });
