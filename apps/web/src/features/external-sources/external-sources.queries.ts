import { externalSourcesApi } from '@albedo/contract/external-sources/external-sources.api';
import type {
  ExternalPreview,
  ExternalSource,
  NewExternalSource,
  SavedExternalSource,
} from '@albedo/contract/external-sources/external-sources.schema';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { followList, unlessTold } from '../../app/live-list.ts';
import { queryClient } from '../../app/query-client.ts';

followList('external-sources', ['external-sources']);

const keyOf = (wg: string) => ['external-sources', wg] as const;
const changed = (wg: string) => queryClient.invalidateQueries({ queryKey: keyOf(wg) });

/** The external sources of a workgroup with their last run, by name. */
export const externalSourcesQuery = (wg: string) =>
  queryOptions({
    queryKey: keyOf(wg),
    queryFn: ({ signal }) => call(externalSourcesApi.list, { params: { wg } }, signal),
    refetchInterval: unlessTold(60_000),
  });

/** The runs of a source, the newest first. */
export const externalRunsQuery = (wg: string, externalSource: string) =>
  queryOptions({
    queryKey: [...keyOf(wg), 'runs', externalSource],
    queryFn: ({ signal }) => call(externalSourcesApi.runs, { params: { wg, externalSource } }, signal),
    refetchInterval: unlessTold(60_000),
  });

/** Makes the source, or with an id puts it in the place of that one. */
export async function saveExternalSource(
  wg: string,
  id: string | null,
  body: NewExternalSource,
): Promise<SavedExternalSource> {
  const saved =
    id === null
      ? await call(externalSourcesApi.create, { params: { wg }, body })
      : await call(externalSourcesApi.update, { params: { wg, externalSource: id }, body });
  await changed(wg);
  return saved;
}

/** What a source would bring; nothing is stored. */
export const previewExternalSource = (
  wg: string,
  of: string | null,
  body: NewExternalSource & { text?: string },
): Promise<ExternalPreview> =>
  call(externalSourcesApi.preview, { params: { wg }, body: { ...body, ...(of === null ? {} : { of }) } });

export async function runExternalSource(wg: string, id: string): Promise<ExternalSource> {
  const ran = await call(externalSourcesApi.run, { params: { wg, externalSource: id }, body: {} });
  await changed(wg);
  return ran;
}

export async function renewPushToken(wg: string, id: string): Promise<SavedExternalSource> {
  const renewed = await call(externalSourcesApi.renewToken, { params: { wg, externalSource: id }, body: {} });
  await changed(wg);
  return renewed;
}

export async function removeExternalSource(wg: string, id: string): Promise<void> {
  await call(externalSourcesApi.remove, { params: { wg, externalSource: id } });
  await changed(wg);
}
