import { z } from 'zod';
import { email } from '../sessions/sessions.schema.ts';
import { workgroupName } from './workgroups.schema.ts';

/** A workgroup as the staff see it. Times are epoch ms. */
export const workgroupEntry = z.object({
  name: workgroupName,
  displayName: z.string(),
  plan: z.string(),
  members: z.number().int(),
  devices: z.number().int(),
  online: z.number().int(),
  createdAt: z.number().int(),
  suspendedAt: z.number().int().nullable(),
});
export type WorkgroupEntry = z.infer<typeof workgroupEntry>;

export const newWorkgroup = z.object({
  orgDisplay: z.string().trim().min(1, 'Required').max(120),
  plan: z.string().trim().max(80).default(''),
  /** Who becomes its first owner; an invitation is mailed. */
  ownerEmail: email,
  ownerName: z.string().trim().max(120).default(''),
});
export type NewWorkgroupRequest = z.input<typeof newWorkgroup>;

/** A user as the staff see them. */
export const userEntry = z.object({
  _id: z.uuid(),
  email: z.string(),
  name: z.string(),
  workgroups: z.array(z.string()),
  hasMfa: z.boolean(),
  mfaRequired: z.boolean(),
  hasPassword: z.boolean(),
  isStaff: z.boolean(),
  createdAt: z.number().int(),
  /** When the newest session began; null before the first one. */
  lastSignInAt: z.number().int().nullable(),
});
export type UserEntry = z.infer<typeof userEntry>;

export const onUser = z.object({ user: z.uuid() });

/** What runs. */
export const versions = z.object({
  cloud: z.string(),
  web: z.string(),
  node: z.string(),
  /** Name and version of each engine. */
  engines: z.array(z.object({ name: z.string(), version: z.string() })),
  /** Agents by version, most first; an agent that never reported one is `unknown`. */
  agents: z.array(z.object({ version: z.string(), devices: z.number().int(), online: z.number().int() })),
  roles: z.array(z.string()),
  /** Epoch ms at which this process started. */
  startedAt: z.number().int(),
});
export type Versions = z.infer<typeof versions>;
