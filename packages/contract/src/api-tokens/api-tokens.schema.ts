import { z } from 'zod';
import { permission } from '../access/permissions.schema.ts';
import { ONE_LINE } from '../http/one-line.ts';
import { email } from '../sessions/sessions.schema.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';
import { apiTokensIssues } from './api-tokens.errors.ts';

/** How long a token may live: days or months from now. Source: domain/cloud.md section 2. */
export const TOKEN_LIVES = {
  '7 days': { days: 7 },
  '14 days': { days: 14 },
  '1 month': { months: 1 },
  '2 months': { months: 2 },
  '3 months': { months: 3 },
  '6 months': { months: 6 },
  '1 year': { months: 12 },
} as const;
export const tokenLife = z.enum(Object.keys(TOKEN_LIVES) as [TokenLife, ...TokenLife[]]);
export type TokenLife = keyof typeof TOKEN_LIVES;

/** A token does not administer people. */
export const tokenPermission = permission.exclude(['manageAccess', 'wgMembers', 'dashboardOnly']);

/** What a token changes the configuration of the workgroup by: an owner alone gives it, and it cannot be renewed. */
export const CONFIGURING = 'coordinate';

/** Why a token ended by itself: its maker left the workgroup, or may not give its rights any more. */
export const revokedBecause = z.enum(['maker_left', 'maker_lost_rights']);
export type RevokedBecause = z.infer<typeof revokedBecause>;

export const newApiToken = z
  .object({
    /** Who it is given to; free text. */
    owner: z
      .string()
      .trim()
      .min(1, 'Required')
      .max(120)
      .regex(...ONE_LINE),
    email,
    expiry: tokenLife,
    canRenew: z.boolean().default(false),
    /** Read is always among them; fixed once issued. */
    permissions: z.array(tokenPermission).max(20).default([]),
    /** The devices it is bound to; null for all. */
    devGroup: z.uuid().nullable().default(null),
  })
  .refine(({ canRenew, permissions }) => !(canRenew && permissions.includes(CONFIGURING)), {
    path: ['canRenew'],
    message: apiTokensIssues['issue.token_configures'],
  });
export type NewApiToken = z.output<typeof newApiToken>;

export const apiToken = z.object({
  _id: z.uuid(),
  owner: z.string(),
  email: z.string(),
  expiry: tokenLife,
  canRenew: z.boolean(),
  permissions: z.array(permission),
  devGroup: z.string().nullable(),
  createdBy: z.string(),
  /** Epoch ms, as the others. */
  createdAt: z.number().int(),
  expiresAt: z.number().int(),
  /** To the minute. */
  lastUsedAt: z.number().int().nullable(),
  revokedAt: z.number().int().nullable(),
  /** Null where it was revoked by hand, or not at all. */
  revokedBecause: revokedBecause.nullable(),
});
export type ApiToken = z.infer<typeof apiToken>;

/** Days before the end of a token at which its e-mail address is warned. Source: domain/cloud.md section 2. */
export const WARNING_DAYS = [14, 7, 1] as const;

/** `token` is shown this once. */
export const issuedApiToken = apiToken.extend({ token: z.string() });
export const onApiToken = inWorkgroup.extend({ apiToken: z.uuid() });
