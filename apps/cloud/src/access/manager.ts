import { scopeIn, type WorkgroupScope } from '@albedo/contract/access/permissions';
import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import type { Actor } from './actor.ts';
import { signedIn } from './signed-in.ts';

/** Who changes something, and what they may do in the workgroup. */
export interface Manager extends Actor {
  scope: WorkgroupScope;
}

/** Who changes something in the workgroup of a call. */
export function managerOf(call: {
  session: SessionClaims | null;
  workgroup: string;
  request: FastifyRequest;
}): Manager {
  const session = signedIn(call);
  const { _id: userId, email } = session;
  const scope = scopeIn(session, call.workgroup);
  if (!scope) throw new AppError('request.forbidden');
  return { userId, email, address: call.request.ip, scope };
}
