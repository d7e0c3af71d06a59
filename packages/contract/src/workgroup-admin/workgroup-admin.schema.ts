import { z } from 'zod';
import { ONE_LINE } from '../http/one-line.ts';
import { email } from '../sessions/sessions.schema.ts';
import { newWorkgroupMfa, workgroupName } from '../workgroups/workgroups.schema.ts';

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
  orgDisplay: z
    .string()
    .trim()
    .min(1, 'Required')
    .max(120)
    .regex(...ONE_LINE),
  plan: z.string().trim().max(80).default(''),
  mfaRequired: newWorkgroupMfa,
  /** Who becomes its first owner; an invitation is mailed. */
  ownerEmail: email,
  ownerName: z
    .string()
    .trim()
    .max(120)
    .regex(...ONE_LINE)
    .default(''),
});
export type NewWorkgroupRequest = z.input<typeof newWorkgroup>;
