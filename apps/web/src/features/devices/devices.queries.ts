import { deviceIdentityApi } from '@albedo/contract/device-identity/device-identity.api';
import { devicesApi } from '@albedo/contract/devices/devices.api';
import type { Device, DeviceFacts, DeviceSummary } from '@albedo/contract/devices/devices.schema';
import { twinsApi } from '@albedo/contract/twins/twins.api';
import type { Arch } from '@albedo/contract/workgroups/archs';
import { queryOptions } from '@tanstack/react-query';
import { call, download } from '../../app/call.ts';
import { keepLastState, withLastState } from '../../app/last-state.ts';
import { queryClient } from '../../app/query-client.ts';
import { type EventPayload, onConnected, onEvent } from '../../app/socket.ts';

export const deviceKeys = {
  list: (wg: string) => ['devices', wg] as const,
  one: (wg: string, device: string) => ['device', wg, device] as const,
  latest: (wg: string, device: string) => ['device', wg, device, 'latest'] as const,
  certificate: (wg: string, device: string) => ['device', wg, device, 'certificate'] as const,
};

/** Under this name the list is kept for a time without a network. */
const listName = (wg: string) => `devices ${wg}`;

/** The devices of a workgroup; kept true by the socket (`followDevices`). */
export const deviceListQuery = (wg: string) =>
  queryOptions({
    queryKey: deviceKeys.list(wg),
    queryFn: ({ signal }) =>
      withLastState(listName(wg), async () => {
        // More than names, since it was not asked for these alone.
        return (await call(devicesApi.list, { params: { wg } }, signal)) as DeviceSummary[];
      }),
    staleTime: Number.POSITIVE_INFINITY,
    // Changes are merged by hand, row by row; comparing 10,000 devices deeply would cost more than it saves.
    structuralSharing: false,
  });

export const deviceQuery = (wg: string, device: string) =>
  queryOptions({
    queryKey: deviceKeys.one(wg, device),
    queryFn: ({ signal }) =>
      withLastState(`device ${wg} ${device}`, () => call(devicesApi.get, { params: { wg, device } }, signal)),
  });

export const latestQuery = (wg: string, device: string) =>
  queryOptions({
    queryKey: deviceKeys.latest(wg, device),
    queryFn: ({ signal }) =>
      withLastState(`latest ${wg} ${device}`, () =>
        call(devicesApi.latest, { params: { wg, device } }, signal),
      ),
  });

export const certificateQuery = (wg: string, device: string) =>
  queryOptions({
    queryKey: deviceKeys.certificate(wg, device),
    queryFn: ({ signal }) => call(devicesApi.certificate, { params: { wg, device } }, signal),
  });

/** How often the connection was lost lately. */
export const connectionQuery = (wg: string, device: string) =>
  queryOptions({
    queryKey: [...deviceKeys.one(wg, device), 'connection'],
    queryFn: ({ signal }) => call(twinsApi.connection, { params: { wg, device } }, signal),
    staleTime: 60_000,
  });

/** A one-time command that installs the agent; each reading makes a new one, so it is never read twice unasked. */
export const installOfferQuery = (wg: string, device: string) =>
  queryOptions({
    queryKey: [...deviceKeys.one(wg, device), 'install'],
    queryFn: async ({ signal }) => {
      const offer = await call(deviceIdentityApi.reissue, { params: { wg, device }, body: {} }, signal);
      if (offer.action === 'replace') throw new Error('a command was asked for');
      return offer;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** `cloud` is where a cloud device runs; without one it is an edge device. */
export async function createDevice(
  wg: string,
  name: string,
  arch: Arch,
  cloud: string | null = null,
): Promise<Device> {
  const own = cloud === null ? {} : { ced: true, cedCloudId: cloud };
  const device = await call(devicesApi.create, { params: { wg }, body: { name, arch, ...own } });
  putDevice(wg, device);
  return device;
}

export async function renameDevice(wg: string, device: string, name: string): Promise<void> {
  putDevice(wg, await call(devicesApi.update, { params: { wg, device }, body: { name } }));
}

/** Cuts the device off until it is released. */
export async function quarantineDevice(wg: string, device: string, reason: string): Promise<void> {
  takeDevice(wg, await call(devicesApi.quarantine, { params: { wg, device }, body: { reason } }));
}

/** Lets a device in quarantine connect again. */
export async function releaseDevice(wg: string, device: string): Promise<void> {
  takeDevice(wg, await call(devicesApi.release, { params: { wg, device } }));
}

function takeDevice(wg: string, device: Device): void {
  putDevice(wg, device);
  queryClient.setQueryData<Device>(deviceKeys.one(wg, device.id), device);
}

export async function removeDevice(wg: string, device: string): Promise<void> {
  await call(devicesApi.remove, { params: { wg, device } });
  dropDevice(wg, device);
}

/** The agent pack as a file; from now on the device's older certificate is worth nothing. */
export const downloadPack = (wg: string, device: string) =>
  download(devicesApi.downloadPack, { params: { wg, device } });

/**
 * Writes what the socket says about devices into the cache until the returned function is called. A list
 * that was asked for before the connection is asked for again, since events were missed meanwhile.
 */
export function followDevices(wg: string): () => void {
  const keepList = () => {
    const list = queryClient.getQueryData(deviceKeys.list(wg));
    if (document.hidden && list) keepLastState(listName(wg), list);
  };
  document.addEventListener('visibilitychange', keepList);
  const stops = [
    () => document.removeEventListener('visibilitychange', keepList),
    onConnected(async () => {
      if (!queryClient.getQueryState(deviceKeys.list(wg))) return;
      // One that is on its way is shown first, and was asked for too early as well.
      await queryClient.ensureQueryData(deviceListQuery(wg)).catch(() => {});
      await queryClient.invalidateQueries({ queryKey: deviceKeys.list(wg) });
    }),
    onEvent('device:stateChange', ({ deviceId, online, at }) =>
      applyFacts(wg, [{ deviceId, facts: { online, stateChangedAt: at } }]),
    ),
    onEvent('device:facts', (changes) => applyFacts(wg, changes)),
    onEvent('device:new', (device) => putDevice(wg, device)),
    onEvent('device:changed', (device) => {
      putDevice(wg, device);
      // What else there is of it, such as its metadata, may be another one too.
      void queryClient.invalidateQueries({ queryKey: deviceKeys.one(wg, device.id), exact: true });
    }),
    onEvent('device:removed', ({ deviceId }) => dropDevice(wg, deviceId)),
    onEvent('device:metaChange', ({ deviceId, meta }) =>
      queryClient.setQueryData<Device>(deviceKeys.one(wg, deviceId), (old) => (old ? { ...old, meta } : old)),
    ),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Gives only the devices whose facts changed a new object; all others stay the same ones. */
export function applyFacts(wg: string, changes: EventPayload<'device:facts'>): void {
  const byId = new Map(changes.map(({ deviceId, facts }) => [deviceId, facts as Partial<DeviceFacts>]));
  queryClient.setQueryData<DeviceSummary[]>(deviceKeys.list(wg), (old) =>
    old?.map((device) => {
      const facts = byId.get(device.id);
      return facts ? { ...device, facts: { ...device.facts, ...facts } } : device;
    }),
  );
  for (const [id, facts] of byId)
    queryClient.setQueryData<Device>(deviceKeys.one(wg, id), (old) =>
      old ? { ...old, facts: { ...old.facts, ...facts } } : old,
    );
}

export function putDevice(wg: string, device: DeviceSummary): void {
  queryClient.setQueryData<DeviceSummary[]>(deviceKeys.list(wg), (old) => {
    if (!old) return old;
    const isKnown = old.some((one) => one.id === device.id);
    return isKnown ? old.map((one) => (one.id === device.id ? device : one)) : [...old, device];
  });
  queryClient.setQueryData<Device>(deviceKeys.one(wg, device.id), (old) =>
    old ? { ...old, ...device } : old,
  );
}

export function dropDevice(wg: string, id: string): void {
  queryClient.setQueryData<DeviceSummary[]>(deviceKeys.list(wg), (old) =>
    old?.filter((one) => one.id !== id),
  );
  queryClient.removeQueries({ queryKey: deviceKeys.one(wg, id) });
}
