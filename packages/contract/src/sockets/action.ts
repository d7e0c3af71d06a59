import type { z } from 'zod';
import type { Access } from '../access/access.ts';
import type { ErrorBody } from '../http/errors.ts';

/** Path of the socket server. */
export const SOCKET_PATH = '/socket.io-client';

/** A call over the socket without a timeout of its own ends after this. Source: specification 2, section 9. */
export const SOCKET_TIMEOUT_MS = 15_000;

/**
 * One call over the socket, declared once. A request carries `requestId` and the arguments; every reply is an event
 * named after the action with `requestId`, and either `error: {message}` or `data`; the last one has `complete: true`.
 */
export interface SocketAction {
  readonly access: Access;
  readonly summary: string;
  readonly request: z.ZodType;
  /** Data of one reply. */
  readonly reply: z.ZodType;
  readonly timeoutMs?: number;
  /** As of an endpoint. */
  readonly isQuery?: true;
}

export interface SocketReply<T = unknown> {
  requestId: string;
  /** As in an HTTP answer; `error` is the name of the failure, where it has one. */
  error?: Partial<ErrorBody> & { message: string };
  complete?: boolean;
  data?: T;
}

/** What the server sends without being asked: event name to the schema of its payload. */
export type SocketEvents = Readonly<Record<string, z.ZodType>>;
