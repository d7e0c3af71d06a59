import { z } from 'zod';
import type { SocketEvents } from '../sockets/action.ts';
import { filling } from './demo.schema.ts';

export const demoEvents = {
  /** More of the demo's history has arrived; null when all of it is there. */
  'demo:filling': z.object({ filling: filling.nullable() }),
} as const satisfies SocketEvents;
