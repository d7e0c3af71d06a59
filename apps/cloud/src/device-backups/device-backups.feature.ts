import { deviceBackupsApi } from '@albedo/contract/device-backups/device-backups.api';
import type { Postgres } from '@albedo/postgres/postgres';
import { z } from 'zod';
import { managerOf } from '../access/manager.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import { defineJob } from '../jobs/job.ts';
import { DeviceBackups, type DeviceBackupsOptions } from './device-backups.service.ts';
import { DeviceBackupsStore } from './device-backups.store.ts';
import { deviceBackupsPart } from './device-backups.tables.ts';

/** Backups of devices, kept in the cloud. */
export function openDeviceBackups(
  of: Omit<DeviceBackupsOptions, 'store'> & { postgres: Postgres },
): Feature<DeviceBackups> {
  const backups = new DeviceBackups({ ...of, store: new DeviceBackupsStore(of.postgres) });
  const on = (
    call: Parameters<typeof managerOf>[0] & {
      workgroup: string;
      params: { device: string };
      signal: AbortSignal;
    },
  ) => ({
    workgroup: call.workgroup,
    device: call.params.device,
    by: managerOf(call),
    signal: call.signal,
  });
  return {
    name: 'device-backups',
    service: backups,
    workgroupPart: {
      tables: deviceBackupsPart,
      closing: (workgroup) => backups.forgetWorkgroup(workgroup),
    },
    jobs: (jobs) =>
      jobs.add(
        defineJob({
          name: 'device-backups',
          payload: z.object({}),
          limitS: 3000,
          retry: { times: 0, afterS: 60, atMostS: 60 },
          oneAtATime: { key: () => 'all', waiting: 'one' },
          schedule: { cron: '25 * * * *', zone: 'UTC', payload: {} },
          run: ({ signal }) => backups.makeDue(signal),
        }),
      ),
    routes: (app) =>
      bind(app, deviceBackupsApi, {
        list: ({ workgroup, params, query, scope }) =>
          backups.list(workgroup, query.of ?? params.device, scope),
        create: (call) => backups.create(on(call), 'asked'),
        plan: (call) => backups.setPlan(call.workgroup, call.params.device, call.body, managerOf(call)),
        file: async (call) => {
          const { name, bytes } = await backups.file(on(call), call.params.backup, call.scope);
          call.reply.header('content-disposition', `attachment; filename="${name}"`);
          return bytes;
        },
        restore: (call) => backups.restore(on(call), call.params.backup, call.scope),
        remove: async (call) => {
          await backups.remove(on(call), call.params.backup, call.scope);
          return {};
        },
      }),
  };
}
