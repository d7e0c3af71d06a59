import type { AddonId } from '@albedo/contract/access/addons';
import { addonsApi } from '@albedo/contract/workgroups/addons.api';
import type { AvailableAddon } from '@albedo/contract/workgroups/addons.schema';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';

/** Every addon there is, and which of them the workgroup has; for the staff. */
export const addonsQuery = (wg: string) =>
  queryOptions({
    queryKey: ['addons', wg],
    queryFn: ({ signal }) => call(addonsApi.available, { params: { wg } }, signal),
  });

export async function enableAddon(wg: string, id: AddonId): Promise<void> {
  keep(wg, await call(addonsApi.add, { params: { wg }, body: { id } }));
}

export async function changeAddon(wg: string, addon: AddonId, settings: object): Promise<void> {
  const body = { settings: { ...settings } };
  keep(wg, await call(addonsApi.update, { params: { wg, addon }, body }));
}

export async function disableAddon(wg: string, addon: AddonId): Promise<void> {
  keep(wg, await call(addonsApi.remove, { params: { wg, addon } }));
}

const keep = (wg: string, addons: AvailableAddon[]): void => {
  queryClient.setQueryData(addonsQuery(wg).queryKey, addons);
};
