import { schedulesApi } from '@albedo/contract/schedules/schedules.api';
import type { TRIAL_MINUTES } from '@albedo/contract/schedules/schedules.names';
import type {
  ControlPolicy,
  DeviceSchedule,
  DeviceSetpoint,
  Rehearsal,
  Schedule,
  ScheduleEntry,
  SetpointBounds,
} from '@albedo/contract/schedules/schedules.schema';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { unlessTold } from '../../app/live-list.ts';
import { queryClient } from '../../app/query-client.ts';
import { type EventPayload, onConnected, onEvent } from '../../app/socket.ts';

const keys = {
  shared: (wg: string) => ['shared-schedules', wg] as const,
  /** Of all devices without one. */
  ofDevices: (wg: string, device?: string) =>
    device ? (['device-schedules', wg, device] as const) : (['device-schedules', wg] as const),
  setpoints: (wg: string, device?: string) =>
    device ? (['device-setpoints', wg, device] as const) : (['device-setpoints', wg] as const),
  versions: (wg: string, device: string, setpoint: string) =>
    ['schedule-versions', wg, device, setpoint] as const,
  policy: (wg: string) => ['control-policy', wg] as const,
};

/** Asked for now and then even where the server tells of changes, ms. */
const REFRESH_MS = 60_000;

/** Shared schedules of the workgroup, by name. */
export const sharedSchedulesQuery = (wg: string) =>
  queryOptions({
    queryKey: keys.shared(wg),
    queryFn: ({ signal }) => call(schedulesApi.list, { params: { wg } }, signal),
    refetchInterval: unlessTold(REFRESH_MS),
  });

/** Schedules of one device or of all, the newest first. */
export const deviceSchedulesQuery = (wg: string, device?: string) =>
  queryOptions({
    queryKey: keys.ofDevices(wg, device),
    queryFn: ({ signal }) =>
      call(schedulesApi.ofDevices, { params: { wg }, query: device ? { device } : {} }, signal),
    refetchInterval: unlessTold(REFRESH_MS),
  });

/** Setpoints of one device or of all. */
export const setpointsQuery = (wg: string, device?: string) =>
  queryOptions({
    queryKey: keys.setpoints(wg, device),
    queryFn: ({ signal }) =>
      call(schedulesApi.setpoints, { params: { wg }, query: device ? { device } : {} }, signal),
    refetchInterval: unlessTold(REFRESH_MS),
  });

/** What was sent to a setpoint, newest first. */
export const versionsQuery = (wg: string, device: string, setpoint: string) =>
  queryOptions({
    queryKey: keys.versions(wg, device, setpoint),
    queryFn: ({ signal }) =>
      call(schedulesApi.versions, { params: { wg, device }, query: { setpoint } }, signal),
  });

export const controlPolicyQuery = (wg: string) =>
  queryOptions({
    queryKey: keys.policy(wg),
    queryFn: ({ signal }) => call(schedulesApi.policy, { params: { wg } }, signal),
  });

/** Owners are asked to confirm that it is them before. */
export async function setPolicy(wg: string, twoPeople: ControlPolicy['twoPeople']): Promise<void> {
  const policy = await call(schedulesApi.setPolicy, { params: { wg }, body: { twoPeople } });
  queryClient.setQueryData(keys.policy(wg), policy);
}

/** Keeps what is on screen true by what the server tells; the answer ends it. */
export function followSchedules(wg: string): () => void {
  const ends = [
    onEvent('deviceSchedule', (told) => tookSchedule(wg, told)),
    onEvent('deviceSetpoint', (setpoint) => tookSetpoint(wg, setpoint)),
    onConnected(() => {
      for (const head of ['shared-schedules', 'device-schedules', 'device-setpoints', 'schedule-versions'])
        void queryClient.invalidateQueries({ queryKey: [head] });
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}

function tookSchedule(wg: string, told: EventPayload<'deviceSchedule'>): void {
  const isRemoved = 'isRemoved' in told;
  const put = (all: DeviceSchedule[] | undefined) => {
    if (!all) return all;
    if (isRemoved) return all.filter(({ _id }) => _id !== told._id);
    return all.some(({ _id }) => _id === told._id)
      ? all.map((one) => (one._id === told._id ? told : one))
      : [told, ...all];
  };
  queryClient.setQueryData(keys.ofDevices(wg), put);
  queryClient.setQueryData(keys.ofDevices(wg, told.deviceId), put);
  // Which devices use a shared one, and what became of a version, hang on it.
  void queryClient.invalidateQueries({ queryKey: keys.shared(wg) });
  void queryClient.invalidateQueries({ queryKey: ['schedule-versions', wg, told.deviceId] });
}

function tookSetpoint(wg: string, setpoint: DeviceSetpoint): void {
  const put = (all: DeviceSetpoint[] | undefined) => {
    if (!all) return all;
    const isSame = (one: DeviceSetpoint) => one.deviceId === setpoint.deviceId && one.path === setpoint.path;
    return all.some(isSame) ? all.map((one) => (isSame(one) ? setpoint : one)) : [...all, setpoint];
  };
  queryClient.setQueryData(keys.setpoints(wg), put);
  queryClient.setQueryData(keys.setpoints(wg, setpoint.deviceId), put);
}

/** Whatever was changed stands on screen at once, also where the server cannot tell of it. */
async function took(wg: string, answer: Promise<DeviceSchedule>): Promise<DeviceSchedule> {
  const schedule = await answer;
  tookSchedule(wg, schedule);
  await queryClient.invalidateQueries({ queryKey: ['device-setpoints', wg] });
  return schedule;
}

// ---- shared schedules ----

export interface SharedBody {
  name: string;
  description: string;
  entries: ScheduleEntry[];
}

export async function saveShared(wg: string, id: string | null, body: SharedBody): Promise<Schedule> {
  const saved =
    id === null
      ? await call(schedulesApi.create, { params: { wg }, body })
      : await call(schedulesApi.change, { params: { wg, schedule: id }, body });
  await queryClient.invalidateQueries({ queryKey: keys.shared(wg) });
  return saved;
}

export async function removeShared(wg: string, schedule: string): Promise<void> {
  await call(schedulesApi.remove, { params: { wg, schedule } });
  await queryClient.invalidateQueries({ queryKey: keys.shared(wg) });
}

/** Makes a draft for each of the devices; answers them, and the paths that a device lacks. */
export async function handOut(wg: string, schedule: string, devices: string[]) {
  const out = await call(schedulesApi.handOut, { params: { wg, schedule }, body: { devices } });
  for (const draft of out.drafts) tookSchedule(wg, draft);
  return out;
}

// ---- schedules of devices ----

export interface DeviceBody {
  setpoint: string;
  name: string;
  description: string;
  entries: ScheduleEntry[];
  until: string | null;
}

/** How something is applied. */
export interface Applying {
  trialMinutes: (typeof TRIAL_MINUTES)[number] | null;
  reason?: string;
  phrase?: string;
}

/** Keeps a draft, over the one that was opened. */
export const saveDraft = (
  wg: string,
  device: string,
  over: Pick<DeviceSchedule, '_id' | 'changedAt'> | null,
  body: DeviceBody,
) =>
  took(
    wg,
    over === null
      ? call(schedulesApi.add, { params: { wg, device }, body })
      : call(schedulesApi.edit, {
          params: { wg, device, deviceSchedule: over._id },
          body: { ...body, over: over.changedAt },
        }),
  );

const on = (wg: string, { _id, deviceId }: Pick<DeviceSchedule, '_id' | 'deviceId'>) => ({
  params: { wg, device: deviceId, deviceSchedule: _id },
});

export const applySchedule = (wg: string, schedule: DeviceSchedule, how: Applying) =>
  took(wg, call(schedulesApi.apply, { ...on(wg, schedule), body: how }));

/** To approve, people are asked to confirm that it is them before. */
export const decide = (
  wg: string,
  schedule: DeviceSchedule,
  decision: 'approved' | 'refused',
  reason: string,
) =>
  took(
    wg,
    call(schedulesApi.decide, { ...on(wg, schedule), body: { decision, reason, over: schedule.changedAt } }),
  );

export const withdraw = (wg: string, schedule: DeviceSchedule) =>
  took(wg, call(schedulesApi.withdraw, on(wg, schedule)));

export const confirmTrial = (wg: string, schedule: DeviceSchedule) =>
  took(wg, call(schedulesApi.confirm, on(wg, schedule)));

export async function removeDraft(wg: string, schedule: DeviceSchedule): Promise<void> {
  await call(schedulesApi.removeOfDevice, on(wg, schedule));
  tookSchedule(wg, { _id: schedule._id, deviceId: schedule.deviceId, isRemoved: true });
}

interface ByHand {
  setpoint: string;
  value: string;
  /** UTC. */
  until: string;
  reason: string;
  phrase?: string;
}

export const overrideSetpoint = (wg: string, device: string, body: ByHand) =>
  took(wg, call(schedulesApi.override, { params: { wg, device }, body }));

export const releaseSetpoint = (
  wg: string,
  device: string,
  body: { setpoint: string; reason: string; phrase?: string },
) => took(wg, call(schedulesApi.release, { params: { wg, device }, body }));

export const rehearse = (
  wg: string,
  device: string,
  body: Pick<DeviceBody, 'setpoint' | 'entries' | 'until'>,
): Promise<Rehearsal> => call(schedulesApi.rehearse, { params: { wg, device }, body });

/** Answers the id of the long action. */
export async function discover(wg: string, device: string): Promise<string> {
  const { id } = await call(schedulesApi.discover, { params: { wg, device } });
  await queryClient.invalidateQueries({ queryKey: ['long-actions'] });
  return id;
}

/** What the device has just said is asked for again. */
export async function discovered(wg: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['device-setpoints', wg] }),
    queryClient.invalidateQueries({ queryKey: ['device-schedules', wg] }),
  ]);
}

/** People are asked to confirm that it is them before. */
export async function setBounds(wg: string, device: string, setpoint: string, bounds: SetpointBounds) {
  tookSetpoint(wg, await call(schedulesApi.bounds, { params: { wg, device }, body: { setpoint, bounds } }));
}
