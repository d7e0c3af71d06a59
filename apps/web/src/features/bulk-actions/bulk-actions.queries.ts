import { bulkActionsApi } from '@albedo/contract/bulk-actions/bulk-actions.api';
import type {
  BulkAction,
  BulkBegun,
  BulkWork,
  bulkOrder,
} from '@albedo/contract/bulk-actions/bulk-actions.schema';
import type { DeviceCsvRow } from '@albedo/contract/bulk-actions/device-csv.schema';
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { call, download } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { saveFile } from '../../ui/data-table/csv.ts';

/** How often actions that go on are looked at, ms. */
const LOOK_MS = 1500;

export const bulkActionsQuery = (wg: string) =>
  queryOptions({
    queryKey: ['bulk-actions', wg],
    queryFn: ({ signal }) => call(bulkActionsApi.list, { params: { wg } }, signal),
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ state }) => state === 'running') ? LOOK_MS : 30_000,
  });

export const bulkActionQuery = (wg: string, bulkAction: string) =>
  queryOptions({
    queryKey: ['bulk-actions', wg, bulkAction],
    queryFn: ({ signal }) => call(bulkActionsApi.get, { params: { wg, bulkAction } }, signal),
    refetchInterval: ({ state: { data } }) =>
      data === undefined || data.state === 'running' || data.counts.working ? LOOK_MS : false,
  });

/** Begins it, or only says what would change. */
export async function order(wg: string, work: BulkWork, of: z.input<typeof bulkOrder>): Promise<BulkBegun> {
  const params = { wg };
  const begun = await send();
  if (!of.isDryRun) await queryClient.invalidateQueries({ queryKey: ['bulk-actions', wg] });
  return begun;

  function send(): Promise<BulkBegun> {
    switch (work.kind) {
      case 'upgrade':
        return call(bulkActionsApi.upgrade, { params, body: of });
      case 'command':
        return call(bulkActionsApi.command, {
          params,
          body: { ...of, command: work.command, values: work.values },
        });
      case 'config':
        return call(bulkActionsApi.config, { params, body: { ...of, part: work.part } });
      case 'labels':
        return call(bulkActionsApi.labels, { params, body: { ...of, labels: work.labels } });
      case 'groups':
        return call(bulkActionsApi.groups, { params, body: { ...of, group: work.group, isIn: work.isIn } });
      case 'certificates': {
        const { endsWithinDays } = work;
        return call(bulkActionsApi.certificates, { params, body: { ...of, endsWithinDays } });
      }
      case 'plugins': {
        const { plugin, version, isInstalled } = work;
        return call(bulkActionsApi.plugins, { params, body: { ...of, plugin, version, isInstalled } });
      }
    }
  }
}

/** What came of each line, or would. */
export async function importDevices(wg: string, csv: string, isDryRun: boolean): Promise<DeviceCsvRow[]> {
  const rows = await call(bulkActionsApi.importDevices, { params: { wg }, body: { csv, isDryRun } });
  if (!isDryRun) await queryClient.invalidateQueries({ queryKey: ['devices', wg] });
  return rows;
}

export async function exportDevices(wg: string): Promise<void> {
  const { blob } = await download(bulkActionsApi.exportDevices, { params: { wg } });
  saveFile('devices.csv', blob);
}

export async function steer(
  wg: string,
  { _id: bulkAction }: BulkAction,
  how: 'pause' | 'resume' | 'cancel',
): Promise<void> {
  await call(bulkActionsApi[how], { params: { wg, bulkAction } });
  await queryClient.invalidateQueries({ queryKey: ['bulk-actions', wg] });
}
