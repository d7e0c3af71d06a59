import { deviceGroupsApi } from '@albedo/contract/device-groups/device-groups.api';
import type { FastifyInstance } from 'fastify';
import { actorOf } from '../access/actor.ts';
import { bind } from '../http/bind.ts';
import type { DeviceGroups } from './device-groups.service.ts';

export function deviceGroupsRoutes(app: FastifyInstance, groups: DeviceGroups): void {
  bind(app, deviceGroupsApi, {
    list: ({ workgroup, scope }) => groups.list(workgroup, scope),
    create: (call) => groups.create(call.workgroup, call.body, actorOf(call)),
    update: (call) => groups.change(call.workgroup, call.params.devGroup, call.body, actorOf(call)),
    remove: async (call) => {
      await groups.remove(call.workgroup, call.params.devGroup, actorOf(call));
      return {};
    },
    preview: ({ workgroup, body, scope }) => groups.preview(workgroup, body, scope),
    fields: ({ workgroup, scope }) => groups.fields(workgroup, scope),
  });
}
