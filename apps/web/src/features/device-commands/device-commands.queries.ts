import { deviceCommandsApi } from '@albedo/contract/device-commands/device-commands.api';
import type {
  DeviceCommand,
  NewDeviceCommand,
} from '@albedo/contract/device-commands/device-commands.schema';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { request } from '../../app/socket.ts';

const keys = {
  list: (wg: string, device: string) => ['device-commands', wg, device] as const,
  run: (wg: string, run: string) => ['command-run', wg, run] as const,
};

export const commandsQuery = (wg: string, device: string) =>
  queryOptions({
    queryKey: keys.list(wg, device),
    queryFn: ({ signal }) => call(deviceCommandsApi.list, { params: { wg, device } }, signal),
  });

/** The saved commands of all devices that the user may read, by name. */
export const allCommandsQuery = (wg: string) =>
  queryOptions({
    queryKey: ['device-commands', wg],
    queryFn: ({ signal }) => call(deviceCommandsApi.all, { params: { wg } }, signal),
  });

/** How often a run that goes on is looked at, ms. */
const LOOK_MS = 700;

/** What came of a run, by device; asked for again until all of them are over. */
export const runQuery = (wg: string, run: string, devices: number) =>
  queryOptions({
    queryKey: keys.run(wg, run),
    queryFn: ({ signal }) => call(deviceCommandsApi.outcome, { params: { wg, run } }, signal),
    refetchInterval: ({ state: { data } }) => {
      const isOver =
        data !== undefined &&
        data.length >= devices &&
        data.every(({ state }) => state !== 'waiting' && state !== 'running');
      return isOver ? false : LOOK_MS;
    },
  });

export async function saveCommand(
  at: { wg: string; device: string; id: string | null },
  command: NewDeviceCommand,
): Promise<void> {
  const { wg, device, id } = at;
  await (id === null
    ? call(deviceCommandsApi.add, { params: { wg, device }, body: command })
    : call(deviceCommandsApi.update, { params: { wg, device, command: id }, body: command }));
  await queryClient.invalidateQueries({ queryKey: ['device-commands', wg] });
}

export async function removeCommand(
  wg: string,
  device: string,
  { _id: command }: DeviceCommand,
): Promise<void> {
  await call(deviceCommandsApi.remove, { params: { wg, device, command } });
  await queryClient.invalidateQueries({ queryKey: ['device-commands', wg] });
}

/** Answers the id of the run. */
export async function runCommand(
  wg: string,
  { _id: command }: DeviceCommand,
  body: { devices: string[]; values: Record<string, string> },
): Promise<string> {
  const { id } = await call(deviceCommandsApi.run, { params: { wg, command }, body });
  await queryClient.invalidateQueries({ queryKey: ['long-actions'] });
  return id;
}

export const runLine = (deviceId: string, cmd: string) => request('device:cmd', { deviceId, cmd });
