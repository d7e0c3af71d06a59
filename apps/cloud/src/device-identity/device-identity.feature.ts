import { deviceIdentityApi } from '@albedo/contract/device-identity/device-identity.api';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { actorOf } from '../access/actor.ts';
import { signedIn } from '../access/signed-in.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import { defineJob } from '../jobs/job.ts';
import { DeviceIdentity, type DeviceIdentityOptions } from './device-identity.service.ts';

/** Certificates of devices that are replaced, moves to other workgroups, and machines that take the place of others. */
export function openDeviceIdentity(of: DeviceIdentityOptions): Feature<DeviceIdentity> {
  const identity = new DeviceIdentity(of);
  const on = (
    call: Parameters<typeof actorOf>[0] & {
      workgroup: string;
      params: { device: string };
      signal: AbortSignal;
      request: FastifyRequest;
    },
  ) => ({
    workgroup: call.workgroup,
    device: call.params.device,
    by: actorOf(call),
    signal: call.signal,
  });
  return {
    name: 'device-identity',
    service: identity,
    jobs: (jobs) =>
      jobs.add(
        defineJob({
          name: 'device-certificates',
          payload: z.object({}),
          limitS: 3000,
          retry: { times: 0, afterS: 60, atMostS: 60 },
          oneAtATime: { key: () => 'all', waiting: 'one' },
          schedule: { cron: '40 * * * *', zone: 'UTC', payload: {} },
          run: async ({ signal }) => void (await identity.renewDue(signal)),
        }),
      ),
    routes: (app) =>
      bind(app, deviceIdentityApi, {
        reissue: async (call) => {
          const { action, arch } = call.body ?? { action: 'agentpack' as const };
          const { device } = call.params;
          if (action === 'replace') {
            const certificate = await identity.replace(on(call));
            return { action, deviceId: device, certificate };
          }
          const part = action === 'certpack' ? 'keys' : 'all';
          const offer = await of.devices.packs.offerInstall(
            call.workgroup,
            device,
            { part, arch },
            actorOf(call),
          );
          return { action, ...offer };
        },
        move: (call) => identity.move(on(call), call.body, signedIn(call)),
        takeOver: (call) => identity.takeOver(on(call), call.body, call.scope),
      }),
  };
}
