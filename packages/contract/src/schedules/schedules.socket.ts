import { z } from 'zod';
import type { SocketEvents } from '../sockets/action.ts';
import { deviceSchedule, deviceSetpoint } from './schedules.schema.ts';

/** Told to those who may see the device. Source: specification 2, section 7. */
export const schedulesEvents = {
  deviceSchedule: z.union([
    deviceSchedule,
    z.object({ _id: z.uuid(), deviceId: z.uuid(), isRemoved: z.literal(true) }),
  ]),
  deviceSetpoint,
} as const satisfies SocketEvents;
