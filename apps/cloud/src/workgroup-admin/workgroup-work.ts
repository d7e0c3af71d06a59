import { z } from 'zod';
import type { Audit } from '../audit/audit.service.ts';
import type { WorkgroupPart } from '../house/workgroup-part.ts';
import { defineJob, type Job } from '../jobs/job.ts';
import type { Jobs } from '../jobs/jobs.service.ts';
import type { LongActionKind, LongActions } from '../long-actions/long-actions.service.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { WorkgroupAdminStore } from './workgroup-admin.store.ts';
import { exportOf, tablesOf } from './workgroup-export.ts';

/** Longer than anything that was received may be on its way into the store. */
const SWEEP_AFTER_MS = 60_000;

export interface WorkgroupWorkOptions {
  store: WorkgroupAdminStore;
  /** What all features have of workgroups. */
  parts: () => readonly WorkgroupPart[];
  audit: Audit;
  sockets: Sockets;
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
  const { store, parts, audit, jobs, longActions, sockets } = options;
  const input = z.object({ workgroup: z.string() });

  /** Deletes what the features still have of workgroups that are gone. */
  const sweeping = defineJob<{ round: 'now' | 'later' | 'scheduled' }>({
    name: 'forget-telemetry',
    payload: z.object({ round: z.enum(['now', 'later', 'scheduled']) }),
    limitS: 3600,
    retry: { times: 20, afterS: 10, atMostS: 600 },
    oneAtATime: { key: ({ round }) => round, waiting: 'one' },
    schedule: { cron: '17 * * * *', zone: 'UTC', payload: { round: 'scheduled' } },
    run: async ({ signal }) => {
      const deleted = await store.deleted();
      for (const { sweep } of parts()) await sweep?.(deleted, signal);
    },
  });

  const exporting: LongActionKind<{ workgroup: string }> = {
    kind: 'workgroup-export',
    input,
    canCancel: true,
    run: async ({ input: { workgroup }, progress }) => {
      await audit.flush();
      const bytes = exportOf(workgroup, { store, parts: parts(), progress });
      return { file: { name: `${workgroup}.tar.gz`, type: 'application/gzip', bytes } };
    },
  };

  /**
   * Deletes the workgroup with everything that the features have of it. The accounts of its members
   * stay. Every step can be repeated; the rows go last, with the word that it is done. Its telemetry, which nobody can
   * reach any more, goes after that, and once more for what was on its way.
   */
  const removing: LongActionKind<{ workgroup: string }> = {
    kind: 'workgroup-removal',
    input,
    canCancel: false,
    run: async ({ input: { workgroup }, by, signal, progress }) => {
      const all = parts();
      for (const [index, { closing }] of all.entries()) {
        signal.throwIfAborted();
        await closing?.(workgroup, by, signal);
        progress(index / all.length);
      }
      await audit.flush();
      return {
        effect: async (inside) => {
          await store.remove(workgroup, tablesOf(all), inside);
          await jobs.send(sweeping, { round: 'now' }, { inside });
          await jobs.send(
            sweeping,
            { round: 'later' },
            { inside, after: new Date(Date.now() + SWEEP_AFTER_MS) },
          );
        },
        afterwards: () => {
          jobs.wake(sweeping);
          for (const { removed } of all) removed?.(workgroup);
          sockets.listChanged('workgroups', null);
        },
      };
    },
  };

  longActions.add(exporting);
  longActions.add(removing);
  return { exporting, removing, sweeping };
}
