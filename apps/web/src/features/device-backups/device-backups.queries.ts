import { deviceBackupsApi } from '@albedo/contract/device-backups/device-backups.api';
import type { BackupPlan, BackupRestored } from '@albedo/contract/device-backups/device-backups.schema';
import { queryOptions } from '@tanstack/react-query';
import { call, download } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';

const key = (wg: string, device: string) => ['device-backups', wg, device] as const;
interface At {
  wg: string;
  device: string;
}

/** The backups of a device, or of another one as seen from it. */
export const backupsQuery = ({ wg, device }: At, of: string) =>
  queryOptions({
    queryKey: [...key(wg, device), of],
    queryFn: ({ signal }) => call(deviceBackupsApi.list, { params: { wg, device }, query: { of } }, signal),
  });

const changed = ({ wg, device }: At) => queryClient.invalidateQueries({ queryKey: key(wg, device) });

export async function makeBackup(at: At): Promise<void> {
  await call(deviceBackupsApi.create, { params: at });
  await changed(at);
}

export async function setPlan(at: At, body: BackupPlan): Promise<void> {
  await call(deviceBackupsApi.plan, { params: at, body });
  await changed(at);
}

/** People are asked to confirm that it is them before. */
export async function restoreBackup(at: At, backup: string): Promise<BackupRestored> {
  const restored = await call(deviceBackupsApi.restore, { params: { ...at, backup } });
  await changed(at);
  return restored;
}

export async function removeBackup(at: At, backup: string): Promise<void> {
  await call(deviceBackupsApi.remove, { params: { ...at, backup } });
  await changed(at);
}

export async function fetchBackup(at: At, backup: string, name: string): Promise<void> {
  const { blob } = await download(deviceBackupsApi.file, { params: { ...at, backup } });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
