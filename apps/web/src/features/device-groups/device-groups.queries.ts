import { deviceGroupsApi } from '@albedo/contract/device-groups/device-groups.api';
import type {
  Composition,
  DeviceGroup,
  NewDeviceGroup,
} from '@albedo/contract/device-groups/device-groups.schema';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { followList, unlessTold } from '../../app/live-list.ts';
import { queryClient } from '../../app/query-client.ts';

followList('device-groups', ['device-groups']);

const keys = { groups: (wg: string) => ['device-groups', wg] as const };

/** The device groups of a workgroup, by name. */
export const deviceGroupsQuery = (wg: string) =>
  queryOptions({
    queryKey: keys.groups(wg),
    queryFn: ({ signal }) => call(deviceGroupsApi.list, { params: { wg } }, signal),
    // Devices join and leave by themselves.
    refetchInterval: unlessTold(60_000),
  });

/** Ids of the devices in a group of this composition; the earlier answer stays until the next one is there. */
export const matchesQuery = (wg: string, composition: Composition) =>
  queryOptions({
    queryKey: [...keys.groups(wg), 'matches', composition],
    queryFn: ({ signal }) => call(deviceGroupsApi.preview, { params: { wg }, body: composition }, signal),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });

/** Fields of the general information that devices have, with their values. */
export const metaFieldsQuery = (wg: string) =>
  queryOptions({
    queryKey: [...keys.groups(wg), 'fields'],
    queryFn: ({ signal }) => call(deviceGroupsApi.fields, { params: { wg } }, signal),
  });

export async function createGroup(wg: string, group: NewDeviceGroup): Promise<DeviceGroup> {
  const made = await call(deviceGroupsApi.create, { params: { wg }, body: group });
  await queryClient.invalidateQueries({ queryKey: keys.groups(wg) });
  return made;
}

export async function changeGroup(wg: string, id: string, group: NewDeviceGroup): Promise<void> {
  await call(deviceGroupsApi.update, { params: { wg, devGroup: id }, body: group });
  await queryClient.invalidateQueries({ queryKey: keys.groups(wg) });
}

export async function removeGroup(wg: string, id: string): Promise<void> {
  await call(deviceGroupsApi.remove, { params: { wg, devGroup: id } });
  await queryClient.invalidateQueries({ queryKey: keys.groups(wg) });
}
