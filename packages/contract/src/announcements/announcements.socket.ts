import { z } from 'zod';
import type { SocketEvents } from '../sockets/action.ts';

export const announcementsEvents = {
  /** Announcements were published, changed or taken away; whoever shows them asks again. */
  announcement: z.object({}),
} as const satisfies SocketEvents;
