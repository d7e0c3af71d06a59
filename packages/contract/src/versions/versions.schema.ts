import { z } from 'zod';

/** What runs. */
export const versions = z.object({
  cloud: z.string(),
  web: z.string(),
  node: z.string(),
  /** Name and version of each engine. */
  engines: z.array(z.object({ name: z.string(), version: z.string() })),
  /** Agents by version, most first; an agent that never told is `unknown`. */
  agents: z.array(z.object({ version: z.string(), devices: z.number().int(), online: z.number().int() })),
  roles: z.array(z.string()),
  /** Epoch ms at which this process started. */
  startedAt: z.number().int(),
});
export type Versions = z.infer<typeof versions>;
