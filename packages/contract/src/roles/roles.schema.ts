import { z } from 'zod';
import { ONE_LINE } from '../http/one-line.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';

/** A role as it is written: a named set that is given to users of the workgroup. */
export const newUserRole = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Required')
    .max(80)
    .regex(...ONE_LINE),
  description: z.string().trim().max(500).default(''),
  /** Ids of users of the workgroup, each once. */
  members: z
    .array(z.uuid())
    .max(5000)
    .default([])
    .transform((ids) => [...new Set(ids)]),
});
export type NewUserRole = z.output<typeof newUserRole>;

export const userRole = z.object({
  _id: z.uuid(),
  name: z.string(),
  description: z.string(),
  members: z.array(z.uuid()),
});
export type UserRole = z.infer<typeof userRole>;

export const onRole = inWorkgroup.extend({ role: z.uuid() });
