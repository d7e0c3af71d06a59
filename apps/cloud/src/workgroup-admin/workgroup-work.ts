import { z } from 'zod';
import type { Audit } from '../audit/audit.service.ts';
import type { Bus } from '../bus/bus.ts';
import type { DeviceGroups } from '../device-groups/device-groups.service.ts';
import type { Devices } from '../devices/devices.service.ts';
import type { FileStore } from '../files/files.store.ts';
import { defineJob, type Job } from '../jobs/job.ts';
import type { Jobs } from '../jobs/jobs.service.ts';
import type { LongActionKind } from '../long-actions/long-action.ts';
import type { LongActions } from '../long-actions/long-actions.service.ts';
import type { Sessions } from '../sessions/sessions.service.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { workgroupChanged } from '../workgroups/workgroups.topics.ts';
import type { WorkgroupAdminStore } from './workgroup-admin.store.ts';
import { exportOf } from './workgroup-export.ts';

/** Longer than anything that was received may be on its way into the store. */
const SWEEP_AFTER_MS = 60_000;

export interface WorkgroupWorkOptions {
  store: WorkgroupAdminStore;
  sessions: Sessions;
  devices: Devices;
  deviceGroups: DeviceGroups;
  files: FileStore;
  telemetry: Telemetry;
  audit: Audit;
  sockets: Sockets;
  bus: Bus;
  jobs: Jobs;
  longActions: LongActions;
}

export interface WorkgroupWork {
  exporting: LongActionKind<{ workgroup: string }>;
  removing: LongActionKind<{ workgroup: string }>;
  sweeping: Job<{ round: 'now' | 'later' | 'scheduled' }>;
}

/** What takes long with a whole workgroup: its export, its end, and the end of its telemetry, which comes after it. */
export function workgroupWork(options: WorkgroupWorkOptions): WorkgroupWork {
  const { store, telemetry, files, audit, jobs, longActions, sockets, bus } = options;
  const input = z.object({ workgroup: z.string() });

  /** Deletes what the telemetry store has of workgroups that are gone. */
  const sweeping = defineJob<{ round: 'now' | 'later' | 'scheduled' }>({
    name: 'forget-telemetry',
    payload: z.object({ round: z.enum(['now', 'later', 'scheduled']) }),
    limitS: 3600,
    retry: { times: 20, afterS: 10, atMostS: 600 },
    oneAtATime: { key: ({ round }) => round, waiting: 'one' },
    schedule: { cron: '17 * * * *', zone: 'UTC', payload: { round: 'scheduled' } },
    run: async ({ signal }) => {
      const all = telemetry.asSystem('deletion');
      for (const name of await all.stored(await store.deleted())) {
        signal.throwIfAborted();
        await all.forgetWorkgroup(name);
      }
    },
  });

  const exporting: LongActionKind<{ workgroup: string }> = {
    kind: 'workgroup-export',
    input,
    canCancel: true,
    run: async ({ input: { workgroup }, progress }) => {
      await audit.flush();
      const bytes = exportOf(workgroup, {
        store,
        telemetry: telemetry.asSystem('export', workgroup),
        files,
        progress,
      });
      return { file: { name: `${workgroup}.tar.gz`, type: 'application/gzip', bytes } };
    },
  };

  /**
   * Deletes the workgroup with its devices, data, files, audit log and everything else. The accounts of its members
   * stay. Every step can be repeated; the rows go last, with the word that it is done. Its telemetry, which nobody can
   * reach any more, goes after that, and once more for what was on its way.
   */
  const removing: LongActionKind<{ workgroup: string }> = {
    kind: 'workgroup-removal',
    input,
    canCancel: false,
    run: async ({ input: { workgroup }, by, signal, progress }) => {
      for (const id of await store.memberIds(workgroup)) await options.sessions.revokeUser(id);
      const devices = await store.deviceIds(workgroup);
      for (const [index, id] of devices.entries()) {
        signal.throwIfAborted();
        await options.devices.remove(workgroup, id, by);
        progress(index / devices.length);
      }
      for (const { key } of await store.attachments(workgroup)) await files.remove(key);
      await longActions.forgetFiles(workgroup);
      await audit.flush();
      return {
        effect: async (inside) => {
          await store.remove(workgroup, inside);
          await jobs.send(sweeping, { round: 'now' }, { inside });
          await jobs.send(
            sweeping,
            { round: 'later' },
            { inside, after: new Date(Date.now() + SWEEP_AFTER_MS) },
          );
        },
        afterwards: () => {
          jobs.wake(sweeping);
          options.deviceGroups.forget(workgroup);
          void bus.publish(workgroupChanged, { workgroup });
          sockets.listChanged('workgroups', null);
        },
      };
    },
  };

  longActions.add(exporting);
  longActions.add(removing);
  return { exporting, removing, sweeping };
}
