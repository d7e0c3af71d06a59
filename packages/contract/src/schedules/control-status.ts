import { z } from 'zod';
import { inverterFollows } from './schedules.schema.ts';
import { SETPOINT_KINDS } from './setpoints.ts';

/** What the control plugin has to say of one setpoint. */
export const setpointStatus = z.object({
  path: z.string(),
  kind: z.enum(SETPOINT_KINDS),
  /** What its provider says now; null for nothing. */
  value: z.string().max(60).nullable(),
  /** SHA-256 of the file that was read last; null where there is none. */
  file: z.string().length(64).nullable(),
  /** Why that file is not obeyed. */
  fault: z.string().max(1000).nullable(),
  inverters: z.array(inverterFollows).max(500),
});
export type SetpointStatus = z.infer<typeof setpointStatus>;

/** The file `status.json` of the control plugin, by which the agent follows it. */
export const controlStatus = z.object({
  v: z.literal(1),
  /** Epoch ms. It is written so often at least, whatever happens. */
  at: z.number(),
  everyMs: z.number(),
  setpoints: z.array(setpointStatus),
});
export type ControlStatus = z.infer<typeof controlStatus>;
