import { rolesApi } from '@albedo/contract/roles/roles.api';
import type { FastifyInstance } from 'fastify';
import { managerOf } from '../access/manager.ts';
import { bind } from '../http/bind.ts';
import type { Roles } from './roles.service.ts';

export function rolesRoutes(app: FastifyInstance, roles: Roles): void {
  bind(app, rolesApi, {
    list: ({ workgroup }) => roles.list(workgroup),
    create: (call) => {
      return roles.create(call.workgroup, call.body, managerOf(call));
    },
    update: (call) => {
      return roles.update(call.workgroup, call.params.role, call.body, managerOf(call));
    },
    remove: async (call) => {
      await roles.remove(call.workgroup, call.params.role, managerOf(call));
      return {};
    },
  });
}
