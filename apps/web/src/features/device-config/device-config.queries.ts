import { deviceConfigApi } from '@albedo/contract/device-config/device-config.api';
import { twinsApi } from '@albedo/contract/twins/twins.api';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { onEvent, request } from '../../app/socket.ts';

export const deviceConfigKey = (wg: string, device: string) => ['device-config', wg, device] as const;

/** The configuration as it stands on the device. What is edited is not replaced behind the back of whoever edits it. */
export const deviceConfigQuery = (wg: string, device: string) =>
  queryOptions({
    queryKey: deviceConfigKey(wg, device),
    queryFn: ({ signal }) => call(deviceConfigApi.read, { params: { wg, device } }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

export const twinKey = (wg: string, device: string) => ['twin', wg, device] as const;

/** The configuration that a device should have, and the one that it has. */
export const twinQuery = (wg: string, device: string) =>
  queryOptions({
    queryKey: twinKey(wg, device),
    queryFn: ({ signal }) => call(twinsApi.get, { params: { wg, device } }, signal),
  });

export async function setDesired(wg: string, device: string, text: string): Promise<void> {
  const twin = await call(twinsApi.setDesired, { params: { wg, device }, body: { text } });
  queryClient.setQueryData(twinKey(wg, device), twin);
}

/** Timeouts of the specification, document 2, section 9. */
const TEST_MS = 30_000;
const APPLY_MS = 60_000;
const REFRESH_MS = 120_000;
const META_MS = 30_000;

export const testConfig = (deviceId: string, config: string) =>
  request('device:testConfig', { deviceId, config }, { timeoutMs: TEST_MS });

export const applyConfig = (deviceId: string, config: string, over: string) =>
  request('device:applyConfig', { deviceId, config, over }, { timeoutMs: APPLY_MS });

export const refreshMeta = (deviceId: string) =>
  request('device:refreshMeta', { deviceId }, { timeoutMs: REFRESH_MS });

/** Resolves when the device has said what it captures now, after 30 s at the latest: true when it has. */
export function metaChanged(deviceId: string): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (is: boolean) => {
      clearTimeout(timer);
      stop();
      resolve(is);
    };
    const timer = setTimeout(() => end(false), META_MS);
    const stop = onEvent('device:metaChange', (change) => {
      if (change.deviceId === deviceId) end(true);
    });
  });
}
