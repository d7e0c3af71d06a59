import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import type { FastifyRequest } from 'fastify';
import { type Manager, managerOf } from '../access/manager.ts';
import { signedIn } from '../access/signed-in.ts';

/** Who asks for something that reaches a device. */
export interface ControlBy extends Manager {
  session: SessionClaims;
}

export const controlBy = (call: {
  session: SessionClaims | null;
  workgroup: string;
  request: FastifyRequest;
}): ControlBy => ({ ...managerOf(call), session: signedIn(call) });
