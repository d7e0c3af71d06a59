import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../audit/account-audit.ts';
import { signedIn } from '../http/bind.ts';

/** Who of the staff calls, and from where. */
export function actorOf(call: { session: SessionClaims | null; request: FastifyRequest }): Actor {
  const { _id: userId, email } = signedIn(call);
  return { userId, email, address: call.request.ip };
}
