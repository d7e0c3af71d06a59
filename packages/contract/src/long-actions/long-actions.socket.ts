import type { SocketEvents } from '../sockets/action.ts';
import { longAction } from './long-actions.schema.ts';

export const longActionsEvents = {
  /** A long action of the user is further now; told to that user alone. */
  'long-action:changed': longAction,
} as const satisfies SocketEvents;
