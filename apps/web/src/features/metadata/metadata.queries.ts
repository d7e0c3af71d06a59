import { metadataApi } from '@albedo/contract/metadata/metadata.api';
import type { Info } from '@albedo/contract/metadata/metadata.schema';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { deviceKeys } from '../devices/devices.queries.ts';

/** The fields that the metadata of the workgroup has. */
export const metadataQuery = (wg: string) =>
  queryOptions({
    queryKey: ['metadata', wg],
    queryFn: ({ signal }) => call(metadataApi.inUse, { params: { wg } }, signal),
  });

/** Without fields the source has no metadata any more. */
export async function saveSourceInfo(wg: string, device: string, source: string, info: Info): Promise<void> {
  const saved = await call(metadataApi.setSource, { params: { wg, device }, body: { source, info } });
  queryClient.setQueryData(deviceKeys.one(wg, device), saved);
  await queryClient.invalidateQueries({ queryKey: metadataQuery(wg).queryKey });
}
