import { z } from 'zod';
import { ONE_LINE } from '../http/one-line.ts';
import { email } from '../sessions/sessions.schema.ts';
import { newWorkgroupMfa, newWorkgroupName } from '../workgroups/workgroups.schema.ts';

const field = (max: number) => z.string().trim().min(1, 'Required').max(max);
const line = (max: number) => field(max).regex(...ONE_LINE);

/** A request for a workgroup of one's own. Source: specification 1, sections 3 and 5. */
export const workgroupRequest = z.object({
  name: line(120),
  title: line(120),
  company: line(120),
  email,
  /** Without the scheme; `https://` is shown before it. */
  website: field(253).regex(/^[^\s]*\.[^\s]*$/, 'Invalid URL'),
  country: line(80),
  /** ISO 3166-1, two letters. */
  countryCode: z.string().regex(/^[A-Za-z]{2}$/, 'Required'),
  phone: line(40),
  description: field(5000),
});
export type WorkgroupRequest = z.infer<typeof workgroupRequest>;

export const storedRequest = workgroupRequest.extend({
  _id: z.uuid(),
  email: z.string(),
  website: z.string(),
  countryCode: z.string(),
  /** Epoch ms, as the next one. */
  requestedAt: z.number().int(),
  /** Null until somebody decides. */
  decidedAt: z.number().int().nullable(),
  decidedBy: z.string().nullable(),
  status: z.enum(['open', 'accepted', 'rejected']),
  /** The workgroup that came of it. */
  workgroup: z.string().nullable(),
});
export type StoredRequest = z.infer<typeof storedRequest>;

export const onRequest = z.object({ request: z.uuid() });
export const acceptedRequest = z.object({
  name: newWorkgroupName,
  mfaRequired: newWorkgroupMfa,
  displayName: z
    .string()
    .trim()
    .min(1, 'Required')
    .max(120)
    .regex(...ONE_LINE),
});
