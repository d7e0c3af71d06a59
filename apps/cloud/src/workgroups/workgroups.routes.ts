import { scopeIn } from '@albedo/contract/access/permissions';
import { workgroupsApi } from '@albedo/contract/workgroups/workgroups.api';
import type { FastifyInstance } from 'fastify';
import { managerOf } from '../access/manager.ts';
import { signedIn } from '../access/signed-in.ts';
import { bind } from '../http/bind.ts';
import type { WorkgroupSettings } from './workgroup-settings.service.ts';
import type { Workgroups } from './workgroups.service.ts';

export function workgroupsRoutes(
  app: FastifyInstance,
  of: { workgroups: Workgroups; workgroupSettings: WorkgroupSettings },
): void {
  const { workgroups, workgroupSettings } = of;
  bind(app, workgroupsApi, {
    // Those that this session opens: one of an identity provider tells nothing of the user's others.
    list: async (call) => {
      const session = signedIn(call);
      return (await workgroups.ofUser(session._id)).filter(({ name }) => scopeIn(session, name));
    },
    update: (call) => workgroupSettings.update(call.workgroup, call.body, managerOf(call)),
    settings: ({ workgroup }) => workgroupSettings.get(workgroup),
    setSetting: (call) =>
      workgroupSettings.set(call.workgroup, call.params.key, call.body.value, managerOf(call)),
  });
}
