import type { SocketEvents } from '../sockets/action.ts';
import { securityJob } from './security-services.schema.ts';

export const securityServicesEvents = {
  /** A scan of a device was scheduled, began or ended, or is wanted every week or not any more. */
  job: securityJob,
} as const satisfies SocketEvents;
