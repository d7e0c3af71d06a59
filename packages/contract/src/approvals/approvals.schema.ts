import { z } from 'zod';
import { onDevice } from '../devices/devices.schema.ts';
import { newTunnel } from '../tunnels/tunnels.schema.ts';

/**
 * How long a request waits for somebody, and what was approved waits to be used; and how long the folders of a device
 * stay open that were. ms
 */
export const APPROVAL_LIMITS = { waitMs: 15 * 60_000, filesMs: 30 * 60_000 } as const;

/** What opens: a remote shell, a tunnel or a page behind one, or the folders of the device. */
export const approvalWay = z.enum(['shell', 'tunnel', 'files']);
export type ApprovalWay = z.infer<typeof approvalWay>;

export const approvalState = z.enum(['asked', 'approved', 'refused', 'withdrawn', 'expired', 'used']);
export type ApprovalState = z.infer<typeof approvalState>;

const reason = z.string().trim().min(1).max(500);
export const newApproval = z.object({ reason });
export const newTunnelApproval = newTunnel.extend({ reason });

/** A request to reach into a device, decided or not. Instants are epoch ms. */
export const approval = z.object({
  id: z.uuid(),
  deviceId: z.uuid(),
  way: approvalWay,
  /** Where a tunnel leads, such as `tcp 192.168.1.20:502`. */
  target: z.string().nullable(),
  reason: z.string(),
  by: z.string(),
  askedAt: z.number(),
  /** Until then it can be decided, and once it is approved be used. */
  expiresAt: z.number(),
  state: approvalState,
  decidedBy: z.string().nullable(),
  decidedAt: z.number().nullable(),
  usedAt: z.number().nullable(),
});
export type Approval = z.infer<typeof approval>;

export const approvalDecision = z.object({ decision: z.enum(['approved', 'refused']) });
export type ApprovalDecision = z.infer<typeof approvalDecision>['decision'];

/** Whether a second person has to agree before somebody reaches into a device of the workgroup, and who said so. */
export const approvalRule = z.object({
  isNeeded: z.boolean(),
  changedBy: z.string().nullable(),
  changedAt: z.number().nullable(),
});
export type ApprovalRule = z.infer<typeof approvalRule>;

export const onApproval = onDevice.extend({ approval: z.uuid() });
