import { cloudDevicesApi } from '@albedo/contract/cloud-devices/cloud-devices.api';
import type {
  CedCloud,
  CloudDevice,
  NatGateway,
  NetworkSettings,
} from '@albedo/contract/cloud-devices/cloud-devices.schema';
import { queryOptions } from '@tanstack/react-query';
import { ApiError, call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';

/** So often it is looked how a process is, ms. */
const AGAIN_MS = 5000;

/** Where cloud devices can run; none where the workgroup lost the addon meanwhile, or the server runs none. */
export const cedCloudsQuery = (wg: string) =>
  queryOptions({
    queryKey: ['ced-clouds', wg],
    queryFn: async ({ signal }): Promise<CedCloud[]> => {
      try {
        return await call(cloudDevicesApi.clouds, { params: { wg } }, signal);
      } catch (error) {
        if (error instanceof ApiError && (error.code === 403 || error.code === 404)) return [];
        throw error;
      }
    },
  });

/** How the process of a device is; null where the cloud does not run it. */
export const cloudDeviceQuery = (wg: string, device: string) =>
  queryOptions({
    queryKey: ['cloud-device', wg, device],
    queryFn: async ({ signal }): Promise<CloudDevice | null> => {
      try {
        return await call(cloudDevicesApi.get, { params: { wg, device } }, signal);
      } catch (error) {
        if (error instanceof ApiError && error.error === 'cloud_device.not_found') return null;
        throw error;
      }
    },
    refetchInterval: ({ state }) => (state.data === null ? false : AGAIN_MS),
  });

export async function wishCloudDevice(
  wg: string,
  device: string,
  action: 'start' | 'stop' | 'restart',
): Promise<void> {
  const now = await call(cloudDevicesApi.wish, { params: { wg, device }, body: { action } }, undefined, {
    timeout: 30_000,
  });
  queryClient.setQueryData(cloudDeviceQuery(wg, device).queryKey, now);
}

export const networkSettingsQuery = (wg: string, device: string) =>
  queryOptions({
    queryKey: ['cloud-network', wg, device],
    queryFn: ({ signal }) => call(cloudDevicesApi.network, { params: { wg, device } }, signal),
  });

async function keep(wg: string, device: string, change: Promise<NetworkSettings>): Promise<void> {
  queryClient.setQueryData(networkSettingsQuery(wg, device).queryKey, await change);
}

export const setNetworkFile = (wg: string, device: string, name: string, content: string) =>
  keep(wg, device, call(cloudDevicesApi.setFile, { params: { wg, device, file: name }, body: { content } }));

export const setNetworkVariable = (wg: string, device: string, name: string, value: string) =>
  keep(
    wg,
    device,
    call(cloudDevicesApi.setVariable, { params: { wg, device, variable: name }, body: { value } }),
  );

export const removeNetworkFile = (wg: string, device: string, name: string) =>
  keep(wg, device, call(cloudDevicesApi.removeFile, { params: { wg, device, file: name } }));

export const removeNetworkVariable = (wg: string, device: string, name: string) =>
  keep(wg, device, call(cloudDevicesApi.removeVariable, { params: { wg, device, variable: name } }));

/** The NAT gateway of the workgroup; null without one, or without the addon. */
export const natGatewayQuery = (wg: string) =>
  queryOptions({
    queryKey: ['nat-gateway', wg],
    queryFn: async ({ signal }): Promise<NatGateway | null> => {
      try {
        return await call(cloudDevicesApi.natGateway, { params: { wg } }, signal);
      } catch (error) {
        if (error instanceof ApiError && (error.code === 403 || error.code === 404)) return null;
        throw error;
      }
    },
  });

export async function createNatGateway(wg: string, cedCloudId: string, allow: string[]): Promise<void> {
  const made = await call(cloudDevicesApi.createNatGateway, { params: { wg }, body: { cedCloudId, allow } });
  queryClient.setQueryData(natGatewayQuery(wg).queryKey, made);
}

export async function grantNatAccess(wg: string, allow: string[]): Promise<void> {
  const now = await call(cloudDevicesApi.grantNatAccess, { params: { wg }, body: { allow } });
  queryClient.setQueryData(natGatewayQuery(wg).queryKey, now);
}

export async function removeNatGateway(wg: string): Promise<void> {
  await call(cloudDevicesApi.removeNatGateway, { params: { wg } });
  queryClient.setQueryData(natGatewayQuery(wg).queryKey, null);
}
