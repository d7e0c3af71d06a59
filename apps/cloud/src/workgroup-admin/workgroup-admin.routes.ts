import { workgroupAdminApi } from '@albedo/contract/workgroups/workgroup-admin.api';
import type { FastifyInstance } from 'fastify';
import { actorOf } from '../access/actor.ts';
import { bind } from '../http/bind.ts';
import type { WorkgroupAdmin } from './workgroup-admin.service.ts';

export function workgroupAdminRoutes(app: FastifyInstance, admin: WorkgroupAdmin): void {
  bind(app, workgroupAdminApi, {
    list: () => admin.list(),
    create: (call) => admin.create(call.body, actorOf(call)),
    suspend: (call) => admin.setSuspended(call.params.wg, call.body.suspended, actorOf(call)),
    export: async (call) => {
      const { wg } = call.params;
      const archive = await admin.export(wg, actorOf(call));
      call.reply.header('content-disposition', `attachment; filename="${wg}.tar.gz"`);
      return archive;
    },
    offerExport: (call) => admin.offerExport(call.params.wg, actorOf(call)),
    fetchExport: async (call) => {
      const { workgroup, archive } = await admin.fetchExport(call.params.token, call.request.ip);
      call.reply.header('content-disposition', `attachment; filename="${workgroup}.tar.gz"`);
      return archive;
    },
    remove: async (call) => {
      await admin.remove(call.params.wg, call.body.phrase, actorOf(call));
      return {};
    },
    users: ({ query }) => admin.users(query.search),
    requireMfa: (call) => admin.setMfaRequired(call.params.user, call.body.mfaRequired, actorOf(call)),
    sendReset: async (call) => {
      await admin.sendReset(call.params.user, actorOf(call));
      return {};
    },
    versions: () => admin.versions(),
  });
}
