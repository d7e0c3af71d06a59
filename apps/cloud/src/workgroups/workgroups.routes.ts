import { workgroupsApi } from '@albedo/contract/workgroups/workgroups.api';
import type { FastifyInstance } from 'fastify';
import { bind, signedIn } from '../http/bind.ts';
import { managerOf } from '../members/members.routes.ts';
import type { WorkgroupSettings } from './workgroup-settings.service.ts';
import type { Workgroups } from './workgroups.service.ts';

export function workgroupsRoutes(
  app: FastifyInstance,
  of: { workgroups: Workgroups; workgroupSettings: WorkgroupSettings },
): void {
  const { workgroups, workgroupSettings } = of;
  bind(app, workgroupsApi, {
    list: (call) => workgroups.ofUser(signedIn(call)._id),
    update: (call) => workgroupSettings.update(call.workgroup, call.body, managerOf(call)),
    settings: ({ workgroup }) => workgroupSettings.get(workgroup),
    setSetting: (call) =>
      workgroupSettings.set(call.workgroup, call.params.key, call.body.value, managerOf(call)),
  });
}
