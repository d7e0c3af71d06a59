import { membersApi } from '@albedo/contract/members/members.api';
import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../http/app-error.ts';
import { bind, signedIn } from '../http/bind.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import type { Invites } from './invites.service.ts';
import type { Manager, Members } from './members.service.ts';

export function membersRoutes(
  app: FastifyInstance,
  of: { members: Members; invites: Invites; workgroups: Workgroups },
): void {
  const { members, invites, workgroups } = of;
  bind(app, membersApi, {
    list: ({ workgroup }) => members.list(workgroup),
    invite: async (call) => {
      const { displayName } = await workgroups.get(call.workgroup);
      return invites.create(call.workgroup, displayName, call.body, managerOf(call));
    },
    update: (call) => members.update(call.workgroup, call.params.member, call.body, managerOf(call)),
    remove: async (call) => {
      await members.remove(call.workgroup, call.params.member, managerOf(call));
      return {};
    },
    invites: ({ workgroup }) => invites.list(workgroup),
    resendInvite: async (call) => {
      const { displayName } = await workgroups.get(call.workgroup);
      return invites.resend(call.workgroup, displayName, call.params.invite, managerOf(call));
    },
    removeInvite: async (call) => {
      await invites.remove(call.workgroup, call.params.invite, managerOf(call));
      return {};
    },
    invitation: ({ params }) => invites.invitation(params.orgName, params.token),
    register: async ({ body, request }) => {
      await invites.accept(body.orgName, body.token, body, request.ip);
      return {};
    },
    activation: ({ params }) => invites.invitation(null, params.token),
    activate: async ({ params, body, request }) => {
      await invites.accept(null, params.token, body, request.ip);
      return {};
    },
  });
}

/** Who changes something in the workgroup of a call. */
export function managerOf(call: {
  session: SessionClaims | null;
  workgroup: string;
  request: FastifyRequest;
}): Manager {
  const { _id: userId, email, scopes } = signedIn(call);
  const scope = scopes[call.workgroup];
  if (!scope) throw new AppError('request.forbidden');
  return { userId, email, address: call.request.ip, scope };
}
