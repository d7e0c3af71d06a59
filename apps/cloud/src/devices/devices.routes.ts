import type { Readable } from 'node:stream';
import { devicesApi } from '@albedo/contract/devices/devices.api';
import { type DeviceSummary, standingOf } from '@albedo/contract/devices/devices.schema';
import { ADDONS } from '@albedo/contract/workgroups/addons.schema';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { actorOf } from '../access/actor.ts';
import { callerOf } from '../access/caller.ts';
import { bearerToken } from '../access/guard.ts';
import { AppError } from '../errors/app-error.ts';
import { bind } from '../http/bind.ts';
import type { PackFile } from './device-packs.ts';
import type { Devices } from './devices.service.ts';

export function devicesRoutes(app: FastifyInstance, devices: Devices): void {
  bind(
    app,
    devicesApi,
    {
      list: ({ workgroup, scope, query }) =>
        query.nameonly ? devices.names(workgroup, scope) : devices.list(workgroup, scope).map(told),
      create: async (call) => {
        const { workgroup, body } = call;
        // Whether a cloud device is asked for stands in the body, which a declaration cannot name.
        if (body.ced && !app.guard.hasAddon(workgroup, 'ced'))
          throw new AppError('access.addon_missing', { addon: ADDONS.ced.name });
        return told(await devices.createHosted(workgroup, body, actorOf(call)));
      },
      get: async ({ workgroup, params, scope }) => told(await devices.get(workgroup, params.device, scope)),
      update: async (call) => {
        return told(await devices.rename(call.workgroup, call.params.device, call.body.name, actorOf(call)));
      },
      remove: async (call) => {
        await devices.remove(call.workgroup, call.params.device, actorOf(call));
        return {};
      },
      setSetting: async (call) => {
        const { workgroup, scope } = call;
        const { device: id, key } = call.params;
        const { value, over } = call.body;
        return told(await devices.setSetting({ workgroup, id, scope }, key, value, actorOf(call), over));
      },
      latest: (call) => devices.latest(callerOf(call), call.params.device),
      certificate: ({ params }) => devices.packs.certificate(params.device),
      revoke: (call) => devices.packs.revoke(call.workgroup, call.params.device, actorOf(call)),
      quarantine: async (call) => {
        const { workgroup, params, scope, body } = call;
        await devices.quarantine.hold({ workgroup, id: params.device }, body.reason, actorOf(call));
        return told(await devices.get(workgroup, params.device, scope));
      },
      release: async (call) => {
        const { workgroup, params, scope } = call;
        await devices.quarantine.release({ workgroup, id: params.device }, actorOf(call));
        return told(await devices.get(workgroup, params.device, scope));
      },
      downloadPack: async (call) =>
        attach(call.reply, await devices.packs.pack(call.workgroup, call.params.device, actorOf(call))),
      pack: async ({ request, reply, query }) => {
        const token = bearerToken(request.headers.authorization) ?? '';
        return attach(reply, await devices.packs.packForToken(token, query.part, request.ip));
      },
      agentVersion: async () => ({ version: await devices.packs.agentVersion() }),
    },
    // Ten thousand devices pass through no schema on their way out, and a field may be called `__proto__`, which a
    // schema leaves out; tests hold both replies to theirs.
    { trusted: ['list', 'latest'] },
  );
}

const told = <D extends DeviceSummary>(device: D) => ({ ...device, ...standingOf(device.facts) });

function attach(reply: FastifyReply, { stream, fileName }: PackFile): Readable {
  reply.header('content-disposition', `attachment; filename="${fileName}"`);
  return stream;
}
