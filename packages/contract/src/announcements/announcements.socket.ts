import { z } from 'zod';
import type { SocketEvents } from '../sockets/action.ts';

export const announcementsEvents = {
  /** Announcements were published, changed or taken away; clients that show them ask again. */
  announcement: z.object({}),
} as const satisfies SocketEvents;
