import { z } from 'zod';
import { generalIssues } from '../http/issues.ts';
import { inWorkgroup } from '../workgroups/workgroups.schema.ts';

/** What one person may follow in a workgroup. */
export const WATCHES_MAX = 200;

/**
 * What a person follows: a device, an entity with all below it, an alert, a control schedule, or what scans of a device's
 * networks find. Source: specification 2, section 3.
 */
export const WATCH_KINDS = ['device', 'entity', 'rule', 'schedule', 'scan'] as const;
export type WatchKind = (typeof WATCH_KINDS)[number];

const watchParts = z.strictObject({
  kind: z.enum(WATCH_KINDS),
  /** Id of the device, entity, alert or schedule; of `scan` that of the device. */
  target: z.string().min(1, 'Required').max(200),
  channels: z
    .array(z.enum(['mail', 'push']))
    .min(1)
    .max(2)
    .default(['mail', 'push']),
});

/** All but entities have ids that we make. */
export const newWatch = watchParts.refine(
  ({ kind, target }) => kind === 'entity' || z.uuid().safeParse(target).success,
  { error: generalIssues['issue.id'], path: ['target'] },
);
export type NewWatch = z.output<typeof newWatch>;

export const watch = watchParts.extend({
  _id: z.uuid(),
  /** What it is called now; null where it is gone, or gone for the person. */
  name: z.string().nullable(),
  createdAt: z.number(),
});
export type Watch = z.infer<typeof watch>;

export const onWatch = inWorkgroup.extend({ watch: z.uuid() });
