import type { SocketEvents } from '../sockets/action.ts';
import { incident } from './incidents.schema.ts';

export const incidentsEvents = {
  /** An incident opened or changed; one that closed has `closedAt`. Told to those who may see what it is about. */
  incident,
} as const satisfies SocketEvents;
