import { accessControlApi } from '@albedo/contract/access-control/access-control.api';
import type { FastifyInstance } from 'fastify';
import { managerOf } from '../access/manager.ts';
import { signedIn } from '../access/signed-in.ts';
import { bind } from '../http/bind.ts';
import type { AccessControl } from './access-control.service.ts';
import type { Why } from './why.ts';

export function accessControlRoutes(app: FastifyInstance, accessControl: AccessControl, why: Why): void {
  bind(app, accessControlApi, {
    list: ({ workgroup }) => accessControl.list(workgroup),
    mine: (call) => accessControl.mine(signedIn(call), call.workgroup),
    why: ({ workgroup, query }) => why.explain(workgroup, query),
    create: (call) => {
      return accessControl.create(call.workgroup, call.body, managerOf(call));
    },
    update: (call) => {
      return accessControl.update(call.workgroup, call.params.rule, call.body, managerOf(call));
    },
    remove: async (call) => {
      await accessControl.remove(call.workgroup, call.params.rule, managerOf(call));
      return {};
    },
  });
}
