import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import type { FastifyRequest } from 'fastify';
import { signedIn } from './signed-in.ts';

/** Who does something, and from where. */
export interface Actor {
  userId: string;
  email: string;
  address: string;
}

/** Who of the staff calls, and from where. */
export function actorOf(call: { session: SessionClaims | null; request: FastifyRequest }): Actor {
  const { _id: userId, email } = signedIn(call);
  return { userId, email, address: call.request.ip };
}
