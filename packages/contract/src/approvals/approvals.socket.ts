import { z } from 'zod';
import type { SocketEvents } from '../sockets/action.ts';
import { approval, approvalRule } from './approvals.schema.ts';

export const approvalsEvents = {
  'approval:changed': approval.extend({ deviceName: z.string() }),
  'approvalRule:changed': approvalRule,
} as const satisfies SocketEvents;
