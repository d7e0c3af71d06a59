import { securityServicesApi } from '@albedo/contract/security-services/security-services.api';
import {
  MOST_AT_ONCE,
  type SecurityJob,
  type SecurityResult,
  type SecurityTask,
} from '@albedo/contract/security-services/security-services.schema';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { unlessTold } from '../../app/live-list.ts';
import { queryClient } from '../../app/query-client.ts';
import { onConnected, onEvent } from '../../app/socket.ts';
import { deviceListQuery } from '../devices/devices.queries.ts';

/** How often is asked while the server cannot tell, ms. */
const UNTOLD_MS = 10_000;
/** After a device came, went or changed the list is asked for within this, ms. */
const SOON_MS = 1000;

/** A device on a site, which has a job once somebody wanted a scan of it. */
export interface ScanRow {
  /** That of the device. */
  _id: string;
  name: string;
  job: SecurityJob | null;
}

const keys = {
  list: (wg: string, task: SecurityTask) => ['security-services', wg, task] as const,
  result: (wg: string, task: SecurityTask, job: string) => ['security-result', wg, task, job] as const,
};

/** The devices that can be scanned, each with its job; kept true by the socket. */
export const scanRowsQuery = (wg: string, task: SecurityTask) =>
  queryOptions({
    queryKey: keys.list(wg, task),
    queryFn: async ({ signal }): Promise<ScanRow[]> => {
      const [devices, jobs] = await Promise.all([
        queryClient.fetchQuery(deviceListQuery(wg)),
        call(securityServicesApi.jobs, { params: { wg, task } }, signal),
      ]);
      const byDevice = new Map(jobs.map((job) => [job.deviceId, job]));
      return devices
        .filter(({ ced }) => !ced)
        .map(({ id, name }) => ({ _id: id, name, job: byDevice.get(id) ?? null }));
    },
    refetchInterval: unlessTold(UNTOLD_MS),
  });

/** What the scans of one device found. */
export const scanResultQuery = (wg: string, { task, _id }: Pick<SecurityJob, 'task' | '_id'>) =>
  queryOptions({
    queryKey: keys.result(wg, task, _id),
    queryFn: ({ signal }) =>
      call(securityServicesApi.result, { params: { wg, task, securityJob: _id } }, signal),
    refetchInterval: unlessTold(UNTOLD_MS),
  });

/** Shows jobs as they are now. */
function tookJobs(wg: string, task: SecurityTask, jobs: readonly SecurityJob[]): void {
  const byDevice = new Map(jobs.map((job) => [job.deviceId, job]));
  queryClient.setQueryData<ScanRow[]>(keys.list(wg, task), (rows) =>
    rows?.map((row) => {
      const job = byDevice.get(row._id);
      return job ? { ...row, job, name: job.deviceName } : row;
    }),
  );
  for (const job of jobs) {
    const key = keys.result(wg, task, job._id);
    const isOver = queryClient.getQueryData<SecurityResult>(key)?.job.lastScan?._id !== job.lastScan?._id;
    queryClient.setQueryData<SecurityResult>(key, (result) => result && { ...result, job });
    if (isOver) void queryClient.invalidateQueries({ queryKey: key });
  }
}

/** The jobs of devices, as many calls as that takes. */
async function makeJobs(wg: string, task: SecurityTask, devices: readonly string[], enabled: boolean) {
  const made: Awaited<ReturnType<typeof call<typeof securityServicesApi.create>>> = [];
  for (let from = 0; from < devices.length; from += MOST_AT_ONCE) {
    const body = { devices: devices.slice(from, from + MOST_AT_ONCE), enabled };
    made.push(...(await call(securityServicesApi.create, { params: { wg, task }, body })));
  }
  tookJobs(wg, task, made);
  return made;
}

/** Has devices scanned every week, or not any more. */
export async function setEnabled(
  wg: string,
  task: SecurityTask,
  devices: string[],
  enabled: boolean,
): Promise<void> {
  await makeJobs(wg, task, devices, enabled);
}

/** Puts scans of these devices at the end of the queue; one that was never scanned gets its job first. */
export async function runScans(wg: string, task: SecurityTask, devices: readonly string[]): Promise<void> {
  const key = keys.list(wg, task);
  const rows = queryClient.getQueryData<ScanRow[]>(key) ?? [];
  const known = new Map(rows.map(({ _id, job }) => [_id, job?._id ?? null]));
  const without = devices.filter((device) => !known.get(device));
  const made = await makeJobs(wg, task, without, false);
  const jobIds = [...devices.flatMap((device) => known.get(device) ?? []), ...made.map(({ _id }) => _id)];
  for (let from = 0; from < jobIds.length; from += MOST_AT_ONCE) {
    const some = jobIds.slice(from, from + MOST_AT_ONCE);
    const [first = ''] = some;
    await call(securityServicesApi.run, { params: { wg, task, securityJob: first }, body: { jobIds: some } });
  }
  await queryClient.invalidateQueries({ queryKey: key });
}

/** Accepts findings with a note; null takes that back. */
export async function acceptFindings(
  wg: string,
  { task, _id }: SecurityJob,
  keysOf: readonly string[],
  note: string | null,
): Promise<void> {
  const params = { wg, task, securityJob: _id };
  for (let from = 0; from < keysOf.length; from += MOST_AT_ONCE) {
    const body = { keys: keysOf.slice(from, from + MOST_AT_ONCE), note };
    const result = await call(securityServicesApi.accept, { params, body });
    queryClient.setQueryData(keys.result(wg, task, _id), result);
    tookJobs(wg, task, [result.job]);
  }
}

const missed = () => {
  void queryClient.invalidateQueries({ queryKey: ['security-services'] });
  void queryClient.invalidateQueries({ queryKey: ['security-result'] });
};

/** Keeps the scans of a workgroup true, until the function that it answers is called. */
export function followScans(wg: string): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  // A fleet may come within a second.
  const soon = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void queryClient.invalidateQueries({ queryKey: ['security-services', wg] });
    }, SOON_MS);
  };
  const stops = [
    onEvent('job', (job) => tookJobs(wg, job.task, [job])),
    onEvent('device:new', soon),
    onEvent('device:changed', soon),
    onEvent('device:removed', soon),
    onConnected(missed),
  ];
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}
