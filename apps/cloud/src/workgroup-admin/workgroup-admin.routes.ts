import { workgroupAdminApi } from '@albedo/contract/workgroup-admin/workgroup-admin.api';
import type { FastifyInstance } from 'fastify';
import { actorOf } from '../access/actor.ts';
import { bind } from '../http/bind.ts';
import type { WorkgroupAdmin } from './workgroup-admin.service.ts';

export function workgroupAdminRoutes(app: FastifyInstance, admin: WorkgroupAdmin): void {
  bind(app, workgroupAdminApi, {
    list: () => admin.list(),
    create: (call) => admin.create(call.body, actorOf(call)),
    suspend: (call) => admin.setSuspended(call.params.wg, call.body.suspended, actorOf(call)),
    export: (call) => admin.export(call.params.wg, actorOf(call)),
    remove: (call) => admin.remove(call.params.wg, call.body.phrase, actorOf(call)),
  });
}
