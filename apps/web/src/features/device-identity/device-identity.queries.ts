import { deviceIdentityApi } from '@albedo/contract/device-identity/device-identity.api';
import type { DevicePlace } from '@albedo/contract/device-identity/device-identity.schema';
import { devicesApi } from '@albedo/contract/devices/devices.api';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';

/** A device changes its certificate once it has sent what waits, and has to come back, ms. */
const PATIENCE = { timeout: 150_000 };

export interface At {
  wg: string;
  device: string;
}

const certificateKey = ({ wg, device }: At) => ['devices', wg, device, 'certificate'] as const;

export const certificateQuery = (at: At) =>
  queryOptions({
    queryKey: certificateKey(at),
    queryFn: ({ signal }) => call(devicesApi.certificate, { params: at }, signal),
  });

/** The connected device makes a new key and gets a certificate for it. */
export async function replaceCertificate(at: At): Promise<void> {
  await call(deviceIdentityApi.reissue, { params: at, body: { action: 'replace' } }, undefined, PATIENCE);
  await queryClient.invalidateQueries({ queryKey: certificateKey(at) });
}

/** A command that puts new keys on the machine, good once. */
export async function offerKeys(at: At): Promise<string> {
  const offer = await call(deviceIdentityApi.reissue, { params: at, body: { action: 'certpack' } });
  return offer.action === 'replace' ? '' : offer.command;
}

/** People are asked to confirm that it is them before. */
export const moveDevice = (at: At, workgroupId: string, name: string): Promise<DevicePlace> =>
  call(deviceIdentityApi.move, { params: at, body: { workgroupId, name } }, undefined, PATIENCE);

/** People are asked to confirm that it is them before. */
export async function takeOver(at: At, deviceId: string): Promise<void> {
  const body = { workgroupId: at.wg, deviceId };
  await call(deviceIdentityApi.takeOver, { params: at, body }, undefined, PATIENCE);
  await queryClient.invalidateQueries({ queryKey: ['devices', at.wg] });
}
