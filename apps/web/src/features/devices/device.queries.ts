import { holds, scopeIn } from '@albedo/contract/access/permissions';
import { devicesApi } from '@albedo/contract/devices/devices.api';
import type { Device } from '@albedo/contract/devices/devices.schema';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { useSignedIn } from '../../app/session.ts';
import { deviceKeys } from './devices.queries.ts';

/** Whether the user may change devices of the workgroup: rename, describe, reissue, revoke, delete. */
export function useMayManageDevices(): boolean {
  const { user, workgroup } = useSignedIn();
  const scope = scopeIn(user, workgroup);
  return scope !== undefined && holds(scope, 'manageDevices');
}

/** Stores what is changed of the metadata of the device, as it was `over`; what others changed meanwhile stays. */
export async function saveDeviceInfo(
  wg: string,
  id: string,
  { info, over }: Record<'info' | 'over', Readonly<Record<string, string>>>,
): Promise<void> {
  const device = await call(devicesApi.setSetting, {
    params: { wg, device: id, key: 'info' },
    body: { value: info, over },
  });
  queryClient.setQueryData<Device>(deviceKeys.one(wg, id), device);
}

/** Ends the device's connection at once; it stays away until a new agent pack is installed. */
export async function revokeCertificate(wg: string, id: string): Promise<void> {
  const certificate = await call(devicesApi.revoke, { params: { wg, device: id } });
  queryClient.setQueryData(deviceKeys.certificate(wg, id), certificate);
}

/** The position comes first; the map depends on these two. */
const FIRST_NAMES = ['Latitude', 'Longitude'];

/** The metadata of a device: texts by name, the position first, then in the order they were given. */
export function deviceInfo(device: Pick<Device, 'settings'>): [name: string, value: string][] {
  const info = device.settings.info;
  if (typeof info !== 'object' || info === null || Array.isArray(info)) return [];
  const texts = Object.entries(info).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[name, String(value)] as [string, string]] : [],
  );
  const place = ([name]: [string, string]) =>
    (FIRST_NAMES.indexOf(name) + FIRST_NAMES.length + 1) % (FIRST_NAMES.length + 1);
  return texts.toSorted((a, b) => place(a) - place(b));
}
