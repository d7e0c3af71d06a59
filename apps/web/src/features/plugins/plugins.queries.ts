import { pluginsApi } from '@albedo/contract/plugins/plugins.api';
import type { PluginService, PluginState } from '@albedo/contract/plugins/plugins.schema';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';

export interface OnPlugin {
  wg: string;
  device: string;
  plugin: string;
}

/** What the publisher offers, each with its spec and whether the workgroup may have it. */
export const offeredQuery = (wg: string) =>
  queryOptions({
    queryKey: ['plugins', wg],
    queryFn: async ({ signal }) => {
      const all = await call(pluginsApi.list, {}, signal);
      return Promise.all(all.map(({ name }) => call(pluginsApi.get, { params: { wg, name } }, signal)));
    },
    staleTime: 60_000,
  });

/** What the device says that it has. */
export const stateQuery = (wg: string, device: string) =>
  queryOptions({
    queryKey: ['device-plugins', wg, device],
    queryFn: ({ signal }): Promise<PluginState> =>
      call(pluginsApi.update, { params: { wg, device } }, signal),
    retry: false,
  });

/** What a device last told, for one that is away. */
export const lastToldQuery = (wg: string) =>
  queryOptions({
    queryKey: ['installed-plugins', wg],
    queryFn: ({ signal }) => call(pluginsApi.installed, { params: { wg } }, signal),
  });

export const logsQuery = ({ wg, device, plugin }: OnPlugin, name: string) =>
  queryOptions({
    queryKey: ['plugin-logs', wg, device, plugin, name],
    queryFn: ({ signal }) => call(pluginsApi.logs, { params: { wg, device, plugin, name } }, signal),
    refetchInterval: 3000,
    retry: false,
  });

/** Every change answers what there is then. */
async function took({ wg, device }: OnPlugin, change: Promise<PluginState>): Promise<void> {
  try {
    queryClient.setQueryData(stateQuery(wg, device).queryKey, await change);
  } catch (error) {
    // A change that failed may have gone half of its way.
    void queryClient.invalidateQueries({ queryKey: stateQuery(wg, device).queryKey });
    throw error;
  } finally {
    void queryClient.invalidateQueries({ queryKey: lastToldQuery(wg).queryKey });
  }
}

export const installPlugin = (on: OnPlugin, version: string) =>
  took(on, call(pluginsApi.install, { params: { ...on }, body: { version } }));

export const removePlugin = (on: OnPlugin) => took(on, call(pluginsApi.remove, { params: { ...on } }));

export const putService = (
  on: OnPlugin,
  name: string,
  body: { serviceFile: string; isDisabled: boolean; files: Record<string, string> },
) => took(on, call(pluginsApi.putService, { params: { ...on, name }, body }));

/**
 * A service under another name: the old one goes first, so that nothing is read twice. Where the new one cannot be, the old
 * one is put back.
 */
export async function renameService(
  on: OnPlugin,
  { name: old, file: serviceFile, isDisabled, files }: PluginService,
  name: string,
  body: Parameters<typeof putService>[2],
): Promise<void> {
  await removeService(on, old);
  try {
    await putService(on, name, body);
  } catch (error) {
    await putService(on, old, { serviceFile, isDisabled, files });
    throw error;
  }
}

export const removeService = (on: OnPlugin, name: string) =>
  took(on, call(pluginsApi.removeService, { params: { ...on, name } }));
