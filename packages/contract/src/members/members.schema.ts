import { z } from 'zod';
import { permission, role } from '../access/permissions.schema.ts';
import { whenMissing } from '../http/issues.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { newPassword } from '../sessions/sessions.schema.ts';
import { inWorkgroup, workgroupName } from '../workgroups/workgroups.schema.ts';

/** A user as one of a workgroup; `_id` and `userId` are the same. */
export const memberInfo = z.object({
  _id: z.uuid(),
  userId: z.uuid(),
  name: z.string(),
  email: z.string(),
  role,
  permissions: z.array(permission),
  devGroup: z.string().nullable(),
  /** This member must have two-factor authentication, even if the workgroup does not demand it. */
  mfaRequired: z.boolean(),
  hasMfa: z.boolean(),
  /** Signs in with the identity provider of the workgroup. */
  hasSso: z.boolean(),
  /** Epoch ms of the newest sign-in, into any workgroup; null for somebody who never signed in. */
  lastSignInAt: z.number().int().nullable(),
});
export type MemberInfo = z.infer<typeof memberInfo>;

export const memberChange = z
  .object({
    role,
    permissions: z.array(permission).max(20),
    mfaRequired: z.boolean(),
    /** Id of a device group of the workgroup; null for none. */
    devGroup: z.uuid().nullable(),
  })
  .partial();
export type MemberChange = z.infer<typeof memberChange>;

export const onMember = inWorkgroup.extend({ member: z.uuid() });

/** Life of an invitation, days. */
export const INVITE_DAYS = { default: 7, max: 30 } as const;

export const newInvite = z.object({
  email: z
    .string(whenMissing('Email address is required.'))
    .trim()
    .min(1, 'Email address is required.')
    .max(254)
    .toLowerCase()
    .pipe(z.email('Invalid email')),
  role: role.default('readonly'),
  /** Read is always among them. */
  permissions: z.array(permission).max(20).default([]),
  expiresInDays: z.number().int().min(1).max(INVITE_DAYS.max).default(INVITE_DAYS.default),
  /** The identity provider that the person signs in with; null for a password. */
  idpId: z.uuid().nullable().default(null),
  /** Id of a device group of the workgroup; null for none. */
  devGroup: z.uuid().nullable().default(null),
});
export type NewInvite = z.output<typeof newInvite>;

export const invite = z.object({
  _id: z.uuid(),
  email: z.string(),
  role,
  permissions: z.array(permission),
  devGroup: z.string().nullable(),
  idpId: z.string().nullable(),
  /** E-mail of who invited; null where the provider's staff did. */
  invitedBy: z.string().nullable(),
  /** Epoch ms, as the next one. */
  sentAt: z.number().int(),
  expiresAt: z.number().int(),
});
export type Invite = z.infer<typeof invite>;

export const onInvite = inWorkgroup.extend({ invite: z.uuid() });

/** What an invitation's link leads to. */
export const invitation = z.object({
  email: z.string(),
  /** Known where the provider's staff made the account ready; otherwise empty. */
  name: z.string(),
  orgName: workgroupName,
  orgDisplay: z.string(),
  /** There is an account with this address: nothing but the token is needed to join. */
  hasAccount: z.boolean(),
  /** Signs in with the identity provider of the workgroup, without a password. */
  usesSso: z.boolean(),
  expiresAt: z.number().int(),
});
export type Invitation = z.infer<typeof invitation>;

export const invitationToken = z.string().min(1).max(200);

const personName = z
  .string()
  .trim()
  .min(1, 'Name is required')
  .max(120)
  .regex(...ONE_LINE);

export const registration = z.object({
  orgName: workgroupName,
  token: invitationToken,
  /** Name and password of a new account; an existing one needs neither, and keeps its own. */
  name: personName.optional(),
  password: newPassword.optional(),
});
export type Registration = z.infer<typeof registration>;

export const activation = z.object({ name: personName.optional(), password: newPassword.optional() });
