import { API_PREFIX } from '@albedo/contract/http/endpoint';
import { tunnelsApi } from '@albedo/contract/tunnels/tunnels.api';
import type { NewTunnel, OpenedTunnel } from '@albedo/contract/tunnels/tunnels.schema';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';

const listKey = (wg: string, device: string) => ['tunnels', wg, device] as const;
/** What runs through them counts while somebody looks. */
const REFRESH_MS = 5000;

export const tunnelsQuery = (wg: string, device: string) =>
  queryOptions({
    queryKey: listKey(wg, device),
    queryFn: ({ signal }) => call(tunnelsApi.list, { params: { wg, device } }, signal),
    refetchInterval: REFRESH_MS,
  });

/** People are asked to confirm that it is them before. */
export async function openTunnel(wg: string, device: string, body: NewTunnel): Promise<OpenedTunnel> {
  const opened = await call(tunnelsApi.open, { params: { wg, device }, body });
  await queryClient.invalidateQueries({ queryKey: listKey(wg, device) });
  return opened;
}

export async function closeTunnel(wg: string, device: string, tunnel: string): Promise<void> {
  await call(tunnelsApi.close, { params: { wg, device, tunnel } });
  await queryClient.invalidateQueries({ queryKey: listKey(wg, device) });
}

/** Fetches the client once, and runs it: a shell's own words. */
export const clientCommand = (token: string, localPort: number): string => {
  const { origin } = window.location;
  return [
    `curl -fsSo albedo-tunnel.mjs ${origin}${API_PREFIX}${tunnelsApi.client.url}`,
    `ALBEDO_TUNNEL=${token} node albedo-tunnel.mjs ${origin} --port ${localPort}`,
  ].join('\n');
};
