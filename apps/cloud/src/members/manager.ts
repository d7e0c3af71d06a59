import { scopeIn } from '@albedo/contract/access/permissions';
import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../http/app-error.ts';
import { signedIn } from '../http/bind.ts';
import type { Manager } from './members.service.ts';

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
