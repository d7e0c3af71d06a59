import { z } from 'zod';
import { email } from '../sessions/sessions.schema.ts';
import { workgroupName } from '../workgroups/workgroups.schema.ts';

const field = (max: number) => z.string('Required').trim().min(1, 'Required').max(max);

/** A request for a workgroup of one's own. Source: specification 1, sections 3 and 5. */
export const workgroupRequest = z.object({
  name: field(120),
  title: field(120),
  company: field(120),
  email,
  /** Without the scheme; `https://` is shown before it. */
  website: field(253).regex(/^[^\s]*\.[^\s]*$/, 'Invalid URL'),
  country: field(80),
  /** ISO 3166-1, two letters. */
  countryCode: z.string('Required').regex(/^[A-Za-z]{2}$/, 'Required'),
  phone: field(40),
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
  name: workgroupName,
  displayName: z.string().trim().min(1, 'Required').max(120),
});
