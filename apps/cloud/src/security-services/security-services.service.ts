import { randomUUID } from 'node:crypto';
import type {
  SecurityFinding,
  SecurityJob,
  SecurityResult,
  SecurityScan,
  SecurityTask,
} from '@albedo/contract/security-services/security-services.schema';
import { nextWeekly, WEEKLY } from '@albedo/contract/security-services/weekly';
import type { Transaction } from '@albedo/postgres/postgres';
import { z } from 'zod';
import type { Actor } from '../access/actor.ts';
import type { DeviceScope } from '../access/device-scope.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { Bus } from '../bus/bus.ts';
import { AppError } from '../errors/app-error.ts';
import { defineJob, type Job, type Run } from '../jobs/job.ts';
import type { Jobs } from '../jobs/jobs.service.ts';
import type { DeviceRegistry, RegisteredDevice } from '../registry/registry.ts';
import { differencesOf } from './differences.ts';
import type { ScanEnd, Scanner } from './scan-end.ts';
import type { JobRow, SecurityServicesStore } from './security-services.store.ts';
import { securityFound } from './security-services.topics.ts';

/** What waits or runs for so long was lost, ms. */
const LOST_MS = 3 * 86_400_000;
/** Jobs that are scheduled in one transaction. */
const BATCH = 200;
/** The longest that one scan may take, s. */
const LIMIT_S = { external: 900, internal: 3600 };
/** Scans at once in one process, and of one workgroup in all. */
const SIDE_BY_SIDE = { external: 4, internal: 6 };
const OF_ONE_WORKGROUP = { external: 2, internal: 4 };
const SHOWN_SCANS = 50;

const scanPayload = z.object({ workgroup: z.string(), job: z.uuid() });
type ScanPayload = z.output<typeof scanPayload>;

export interface SecurityServicesOptions {
  store: SecurityServicesStore;
  scanners: Readonly<Record<SecurityTask, Scanner>>;
  registry: DeviceRegistry;
  jobs: Pick<Jobs, 'send' | 'wake'>;
  bus: Bus;
  audit: Audit;
  isSuspended: (workgroup: string) => boolean;
  tell: (workgroup: string, job: SecurityJob) => void;
  /** Epoch ms. */
  now?: () => number;
}

/** In a workgroup, who sees what of it. */
interface Within {
  workgroup: string;
  scope: DeviceScope;
}

/** Scans of sites, from outside and from inside: which devices are scanned, when, and what came of it. */
export class SecurityServices {
  readonly #options: Required<SecurityServicesOptions>;
  /** One queue for each kind: those from outside may take hours when there are many. */
  readonly scanJobs: Readonly<Record<SecurityTask, Job<ScanPayload>>>;

  constructor(options: SecurityServicesOptions) {
    this.#options = { now: Date.now, ...options };
    this.scanJobs = { external: this.#scanJob('external'), internal: this.#scanJob('internal') };
  }

  readonly weeklyJob = defineJob({
    name: 'security-weekly',
    payload: z.object({}),
    limitS: 3600,
    retry: { times: 3, afterS: 60, atMostS: 600 },
    oneAtATime: { key: () => 'all', waiting: 'one' },
    schedule: { ...WEEKLY, payload: {} },
    run: ({ signal }) => this.scheduleWeekly(signal),
  });

  /** By name of the device. */
  async list({ workgroup, scope }: Within, task: SecurityTask): Promise<SecurityJob[]> {
    const { registry, store } = this.#options;
    const rows = (await store.all(workgroup)).filter(({ deviceId }) => scope.has(deviceId));
    const places = new Map(registry.inWorkgroup(workgroup).map(({ id }, at) => [id, at]));
    const place = ({ deviceId }: SecurityJob) => places.get(deviceId) ?? places.size;
    return this.#entries(rows, task).toSorted((a, b) => place(a) - place(b));
  }

  /** Throws `device.not_found` and `security_service.cloud_device`; then nothing was changed. */
  async enable(
    { workgroup, scope }: Within,
    task: SecurityTask,
    { devices, enabled }: { devices: readonly string[]; enabled: boolean },
    by: Actor,
  ): Promise<SecurityJob[]> {
    const ids = [...new Set(devices)];
    for (const id of ids) {
      const device = await this.#deviceOf(workgroup, scope, id);
      if (device.ced) throw new AppError('security_service.cloud_device', { name: device.name });
    }
    const { before, after } = await this.#options.store.enable({ workgroup, task, enabled }, ids);
    const was = new Map(before.map((row) => [row.id, row.enabled]));
    for (const row of after) {
      if (was.get(row.id) === enabled) continue;
      const oldValue = was.has(row.id) ? String(was.get(row.id)) : null;
      this.#record(row, by, {
        action: was.has(row.id) ? 'update' : 'create',
        attribute: `${task}.enabled`,
        oldValue,
        newValue: String(enabled),
      });
    }
    return this.#told(workgroup, task, after);
  }

  /** Throws `security_service.job_not_found`. */
  async setEnabled(
    within: Within,
    task: SecurityTask,
    id: string,
    enabled: boolean,
    by: Actor,
  ): Promise<SecurityJob> {
    const before = await this.#jobOf(within, task, id);
    const row = await this.#options.store.setEnabled(within.workgroup, id, enabled);
    if (!row) throw new AppError('security_service.job_not_found');
    if (before.enabled !== enabled)
      this.#record(row, by, {
        action: 'update',
        attribute: `${task}.enabled`,
        oldValue: String(before.enabled),
        newValue: String(enabled),
      });
    const [job] = await this.#told(within.workgroup, task, [row]);
    if (!job) throw new AppError('security_service.job_not_found');
    return job;
  }

  /** Throws `security_service.job_not_found`; then nothing was scheduled. Answers the ids of all. */
  async run(within: Within, task: SecurityTask, ids: readonly string[], by: Actor): Promise<string[]> {
    const wanted = [...new Set(ids)];
    const rows = await this.#options.store.some(within.workgroup, wanted);
    const mine = new Map(
      rows.filter((row) => row.task === task && within.scope.has(row.deviceId)).map((row) => [row.id, row]),
    );
    if (wanted.some((id) => !mine.has(id))) throw new AppError('security_service.job_not_found');
    const scheduled = await this.#schedule(wanted, by.email);
    for (const row of scheduled) this.#record(row, by, { action: 'run', attribute: task, newValue: null });
    return wanted;
  }

  /** Throws `security_service.job_not_found`. */
  async result(within: Within, task: SecurityTask, id: string): Promise<SecurityResult> {
    const row = await this.#jobOf(within, task, id);
    const { store } = this.#options;
    const [some, findings, scans] = await Promise.all([
      store.some(within.workgroup, [row.id]),
      store.findings(id),
      store.scans(id, SHOWN_SCANS),
    ]);
    const job = this.#entries(some, task).find(({ _id }) => _id === id);
    if (!job) throw new AppError('security_service.job_not_found');
    return { job, findings: findings.toSorted(byKey), scans };
  }

  /** Throws `security_service.job_not_found`, and `security_service.finding_not_found`; then nothing was accepted. */
  async accept(
    within: Within,
    task: SecurityTask,
    id: string,
    { keys, note }: { keys: readonly string[]; note: string | null },
    by: Actor,
  ): Promise<SecurityResult> {
    const row = await this.#jobOf(within, task, id);
    const { store, now } = this.#options;
    const at = new Date(now());
    const acceptance = note === null ? null : { note, by: by.email, at };
    const changed = await store.transaction(async (inside) => {
      const { keys: there, job } = await store.accept(id, keys, acceptance, inside);
      const key = keys.find((one) => !there.includes(one));
      if (key !== undefined) throw new AppError('security_service.finding_not_found', { key });
      return job;
    });
    this.#record(row, by, {
      action: note === null ? 'unaccept' : 'accept',
      attribute: `${task}: ${keys.join(', ')}`,
      newValue: note,
    });
    if (changed) await this.#told(within.workgroup, task, [changed]);
    return this.result(within, task, id);
  }

  /** Puts all that is wanted every week at the end of the queues; those of closed workgroups wait for the week after. */
  async scheduleWeekly(signal: AbortSignal): Promise<void> {
    const rows = await this.#options.store.weekly();
    const ids = rows.filter(({ workgroup }) => !this.#options.isSuspended(workgroup)).map(({ id }) => id);
    for (let from = 0; from < ids.length; from += BATCH) {
      signal.throwIfAborted();
      await this.#schedule(ids.slice(from, from + BATCH), null);
    }
  }

  async #schedule(ids: readonly string[], by: string | null): Promise<JobRow[]> {
    const { store, jobs, now } = this.#options;
    const at = new Date(now());
    const lostBefore = new Date(now() - LOST_MS);
    const scheduled = await store.transaction(async (inside) => {
      const rows = await store.schedule(ids, { by, at, lostBefore }, inside);
      const places = new Map(ids.map((id, place) => [id, place]));
      rows.sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
      for (const { id, workgroup, task } of rows)
        await jobs.send(this.scanJobs[task], { workgroup, job: id }, { inside });
      return rows;
    });
    for (const task of new Set(scheduled.map((row) => row.task))) jobs.wake(this.scanJobs[task]);
    for (const [workgroup, rows] of Map.groupBy(scheduled, (row) => row.workgroup))
      for (const task of new Set(rows.map((row) => row.task))) await this.#told(workgroup, task, rows);
    return scheduled;
  }

  #scanJob(task: SecurityTask): Job<ScanPayload> {
    return defineJob({
      name: `security-scan-${task}`,
      payload: scanPayload,
      limitS: LIMIT_S[task],
      retry: { times: 2, afterS: 30, atMostS: 300 },
      oneAtATime: { key: ({ job }) => job, waiting: 'one' },
      // Nobody waits behind the whole fleet of another workgroup.
      turns: { of: ({ workgroup }) => workgroup, atOnce: OF_ONE_WORKGROUP[task] },
      sideBySide: SIDE_BY_SIDE[task],
      about: ({ workgroup, job }) => `${task} scan ${job} of ${workgroup}`,
      run: (run) => this.#scan(run),
      onDead: async ({ payload }, _error, inside) => {
        const now = this.#options.now();
        const failed: ScanEnd = { failed: 'failed', target: '' };
        const ended = await this.#end(
          payload,
          { by: null, startedAt: now, endedAt: now, end: failed },
          inside,
        );
        await this.#tellEnd(ended);
      },
    });
  }

  async #scan({ payload, signal, finish }: Run<ScanPayload>): Promise<void> {
    const { store, scanners, now } = this.#options;
    const startedAt = now();
    const row = await store.begin(payload.workgroup, payload.job, new Date(startedAt));
    // The device is gone, and its jobs with it.
    if (!row) return;
    await this.#told(row.workgroup, row.task, [row]);
    const present = (await store.findings(row.id)).filter(({ state }) => state !== 'gone');
    const keys = new Set(present.map(({ key }) => key));
    const end = await scanners[row.task].scan({ device: row.deviceId, present: keys, signal });
    let ended: Ended | null = null;
    await finish(async (inside) => {
      ended = await this.#end(payload, { by: row.by, startedAt, endedAt: now(), end }, inside);
    });
    await this.#tellEnd(ended);
  }

  async #end(
    { job: id }: ScanPayload,
    of: { by: string | null; startedAt: number; endedAt: number; end: ScanEnd },
    inside: Transaction,
  ): Promise<Ended | null> {
    const { end, endedAt } = of;
    const { store } = this.#options;
    const known = await store.findings(id, inside);
    const { findings, counts } =
      'failed' in end
        ? { findings: [], counts: { new: 0, changed: 0, known: 0, gone: 0 } }
        : differencesOf(known, end, endedAt);
    const scan: SecurityScan = {
      _id: randomUUID(),
      startedAt: of.startedAt,
      endedAt,
      outcome: 'failed' in end ? 'failed' : end.isComplete ? 'complete' : 'partial',
      reason: 'failed' in end ? end.failed : end.reason,
      target: end.target,
      by: of.by,
      ...counts,
    };
    // A site on which nothing was open is known as well: what opens there later is news.
    const isFirst = known.length === 0 && !(await store.hasLooked(id, inside));
    const job = await store.end(id, { scan, findings }, inside);
    return job && { job, scan, fresh: findings.filter(isFresh), isFirst };
  }

  async #tellEnd(ended: Ended | null): Promise<void> {
    if (!ended) return;
    const { job, scan, fresh, isFirst } = ended;
    await this.#told(job.workgroup, job.task, [job]);
    if (fresh.length === 0) return;
    void this.#options.bus.publish(securityFound, {
      workgroup: job.workgroup,
      device: job.deviceId,
      kind: job.task,
      job: job.id,
      scan: scan._id,
      at: scan.endedAt,
      isFirst,
      findings: fresh.map(({ key, description, addresses }) => ({ key, description, addresses })),
    });
  }

  /** Tells those who may see them of the jobs that changed, and answers them. */
  async #told(workgroup: string, task: SecurityTask, changed: readonly JobRow[]): Promise<SecurityJob[]> {
    const { store, tell } = this.#options;
    const ids = new Set(changed.map(({ id }) => id));
    const others = await store.some(workgroup, [...ids]);
    const jobs = this.#entries([...others.filter(({ id }) => !ids.has(id)), ...changed], task).filter(
      ({ _id }) => ids.has(_id),
    );
    for (const job of jobs) tell(workgroup, job);
    return jobs;
  }

  #entries(rows: readonly JobRow[], task: SecurityTask): SecurityJob[] {
    const { registry, now } = this.#options;
    const idOf = new Map(rows.map((row) => [`${row.deviceId} ${row.task}`, row.id]));
    const nextAt = nextWeekly(now());
    return rows
      .filter((row) => row.task === task)
      .map((row) => ({
        _id: row.id,
        task: row.task,
        deviceId: row.deviceId,
        deviceName: registry.known(row.deviceId)?.name ?? row.deviceId,
        jobIds: {
          external: idOf.get(`${row.deviceId} external`) ?? null,
          internal: idOf.get(`${row.deviceId} internal`) ?? null,
        },
        enabled: row.enabled,
        state: row.state,
        nextAt: row.enabled ? nextAt : null,
        lastScan: row.lastScan,
        unaccepted: row.unaccepted,
      }));
  }

  async #jobOf({ workgroup, scope }: Within, task: SecurityTask, id: string): Promise<JobRow> {
    const row = await this.#options.store.one(workgroup, id);
    if (!row || row.task !== task || !scope.has(row.deviceId))
      throw new AppError('security_service.job_not_found');
    return row;
  }

  async #deviceOf(workgroup: string, scope: DeviceScope, id: string): Promise<RegisteredDevice> {
    const device = await this.#options.registry.find(id);
    if (device?.workgroup !== workgroup || !scope.has(id)) throw new AppError('device.not_found');
    return device;
  }

  #record(
    { workgroup, deviceId: device }: JobRow,
    { email: by, address }: Actor,
    change: { action: string; attribute: string; oldValue?: string | null; newValue: string | null },
  ): void {
    const at = this.#options.now();
    const entry = { workgroup, device, at, controller: 'security-services', entity: 'device' };
    this.#options.audit.record({ ...entry, ...change, by, address });
  }
}

interface Ended {
  job: JobRow;
  scan: SecurityScan;
  /** New, and not accepted. */
  fresh: SecurityFinding[];
  isFirst: boolean;
}

const isFresh = ({ state, accepted }: SecurityFinding): boolean => state === 'new' && accepted === null;

/** Ports by number, hosts by address. */
const byKey = (a: SecurityFinding, b: SecurityFinding): number =>
  ORDER.compare(a.addresses[0] ?? a.key, b.addresses[0] ?? b.key) || ORDER.compare(a.key, b.key);
const ORDER = new Intl.Collator('en', { numeric: true });
