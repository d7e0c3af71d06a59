import { z } from 'zod';
import { WORKGROUP_LIMITS } from '../workgroups/limits.ts';

const limit = z.number().int();

/** What one workgroup may have of each thing, at most. */
const limits = z.object(
  Object.fromEntries(Object.keys(WORKGROUP_LIMITS).map((name) => [name, limit])) as Record<
    keyof typeof WORKGROUP_LIMITS,
    typeof limit
  >,
);

/** The installation that answers. */
export const installation = z.object({
  product: z.string(),
  version: z.string(),
  /** Where the data lies, in the provider's words; null where nobody says. */
  region: z.string().nullable(),
  /** The address under which people reach it. */
  url: z.string(),
  limits,
});

/** A plan that a new workgroup can have. `name` is what `POST orgs` takes as `plan`. */
export const plan = z.object({ id: z.string(), name: z.string() });
