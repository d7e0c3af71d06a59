import { deviceGroupsApi } from '@albedo/contract/device-groups/device-groups.api';
import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../access/actor.ts';
import { signedIn } from '../access/signed-in.ts';
import { demandUnbound } from '../access/unbound.ts';
import { bind } from '../http/bind.ts';
import type { DeviceGroups } from './device-groups.service.ts';

export function deviceGroupsRoutes(app: FastifyInstance, groups: DeviceGroups): void {
  bind(app, deviceGroupsApi, {
    list: ({ workgroup, scope }) => groups.list(workgroup, scope),
    create: (call) => groups.create(call.workgroup, call.body, changerOf(call)),
    update: (call) => groups.change(call.workgroup, call.params.devGroup, call.body, changerOf(call)),
    remove: async (call) => {
      await groups.remove(call.workgroup, call.params.devGroup, changerOf(call));
      return {};
    },
    preview: ({ workgroup, body, scope }) => groups.preview(workgroup, body, scope),
    fields: ({ workgroup, scope }) => groups.fields(workgroup, scope),
  });
}

/** Who changes a group; nobody who is bound to one does. */
function changerOf(call: {
  session: SessionClaims | null;
  workgroup: string;
  request: FastifyRequest;
}): Actor {
  const session = signedIn(call);
  demandUnbound(session, call.workgroup);
  return { userId: session._id, email: session.email, address: call.request.ip };
}
