import { membersApi } from '@albedo/contract/members/members.api';
import type { FastifyInstance } from 'fastify';
import { managerOf } from '../access/manager.ts';
import { bind } from '../http/bind.ts';
import { withEach } from '../http/bulk.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import type { Invites } from './invites.service.ts';
import type { Members } from './members.service.ts';

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
    bindSeveral: (call) =>
      withEach(call.body.ids, (id) =>
        members.update(call.workgroup, id, { devGroup: call.body.devGroup }, managerOf(call)),
      ),
    removeSeveral: (call) =>
      withEach(call.body.ids, (id) => members.remove(call.workgroup, id, managerOf(call))),
    invites: ({ workgroup }) => invites.list(workgroup),
    resendInvite: async (call) => {
      const { displayName } = await workgroups.get(call.workgroup);
      return invites.resend(call.workgroup, displayName, call.params.invite, managerOf(call));
    },
    resendInvites: async (call) => {
      const { displayName } = await workgroups.get(call.workgroup);
      return withEach(call.body.ids, (id) =>
        invites.resend(call.workgroup, displayName, id, managerOf(call)),
      );
    },
    removeInvites: (call) =>
      withEach(call.body.ids, (id) => invites.remove(call.workgroup, id, managerOf(call))),
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
