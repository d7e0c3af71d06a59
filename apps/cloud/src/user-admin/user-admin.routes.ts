import { userAdminApi } from '@albedo/contract/user-admin/user-admin.api';
import type { FastifyInstance } from 'fastify';
import { actorOf } from '../access/actor.ts';
import { bind } from '../http/bind.ts';
import type { UserAdmin } from './user-admin.service.ts';

export function userAdminRoutes(app: FastifyInstance, admin: UserAdmin): void {
  bind(app, userAdminApi, {
    list: ({ query }) => admin.list(query.search),
    requireMfa: (call) => admin.setMfaRequired(call.params.user, call.body.mfaRequired, actorOf(call)),
    sendReset: async (call) => {
      await admin.sendReset(call.params.user, actorOf(call));
      return {};
    },
    endSessions: async (call) => {
      await admin.endSessions(call.params.user, actorOf(call));
      return {};
    },
  });
}
