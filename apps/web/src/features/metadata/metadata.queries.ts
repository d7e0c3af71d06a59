import { metadataApi } from '@albedo/contract/metadata/metadata.api';
import type { FieldRename, Info, InfoLevel, MetadataFile } from '@albedo/contract/metadata/metadata.schema';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { useDeviceChanges } from '../../app/use-device-changes.ts';
import { deviceKeys } from '../devices/devices.queries.ts';
import { refreshWorkgroups } from '../workgroups/workgroups.queries.ts';

/** The fields that the metadata of the workgroup has. */
export const metadataQuery = (wg: string) =>
  queryOptions({
    queryKey: ['metadata', wg],
    queryFn: ({ signal }) => call(metadataApi.inUse, { params: { wg } }, signal),
  });

/** Without fields the source has no metadata any more. */
export interface SourceSaid {
  source: string;
  info: Info;
  /** Its value when editing began. */
  over?: Info;
}

export async function saveSourceInfo(wg: string, device: string, body: SourceSaid): Promise<void> {
  const saved = await call(metadataApi.setSource, { params: { wg, device }, body });
  queryClient.setQueryData(deviceKeys.one(wg, device), saved);
  await queryClient.invalidateQueries({ queryKey: metadataQuery(wg).queryKey });
}

/** What is said of every device, or of every source. */
export const fetchRows = (wg: string, level: InfoLevel) =>
  call(metadataApi.rows, { params: { wg }, query: { level } });

export const previewMetadata = (wg: string, body: MetadataFile) =>
  call(metadataApi.preview, { params: { wg }, body });

/** All of the file or nothing. */
export async function importMetadata(wg: string, body: MetadataFile) {
  const done = await call(metadataApi.import, { params: { wg }, body });
  await queryClient.invalidateQueries({ queryKey: metadataQuery(wg).queryKey });
  return done;
}

/** The values of all devices or sources follow. */
export async function renameField(wg: string, body: FieldRename): Promise<void> {
  await call(metadataApi.renameField, { params: { wg }, body });
  await Promise.all([
    refreshWorkgroups(),
    queryClient.invalidateQueries({ queryKey: metadataQuery(wg).queryKey }),
  ]);
}

/** Refetches the counts of fields after devices have changed, as long as the screen is open. */
export const useFollowMetadata = (wg: string): void => useDeviceChanges(['metadata', wg]);
