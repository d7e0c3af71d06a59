import { asCodeApi } from '@albedo/contract/as-code/as-code.api';
import type { CodePlan } from '@albedo/contract/as-code/as-code.schema';
import { historyApi } from '@albedo/contract/history/history.api';
import type { SavedChange } from '@albedo/contract/history/history.schema';
import { queryOptions } from '@tanstack/react-query';
import { call, download } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';

export const changesQuery = (wg: string) =>
  queryOptions({
    queryKey: ['changes', wg],
    queryFn: ({ signal }) => call(historyApi.changes, { params: { wg } }, signal),
  });

/** All that the workgroup has, as YAML, with the name of its file. */
export async function exportCode(wg: string): Promise<{ name: string; text: string }> {
  const { blob, name } = await download(asCodeApi.export, { params: { wg }, query: {} });
  return { name: name ?? `${wg}.yaml`, text: await blob.text() };
}

export const planCode = (wg: string, body: { yaml: string; prune: boolean }): Promise<CodePlan> =>
  call(asCodeApi.plan, { params: { wg }, body }, undefined, { timeout: 120_000 });

export async function applyCode(wg: string, body: { yaml: string; prune: boolean }): Promise<CodePlan> {
  const applied = await call(asCodeApi.apply, { params: { wg }, body }, undefined, { timeout: 120_000 });
  // Anything may be another one now.
  await queryClient.invalidateQueries();
  return applied;
}

export async function undoChange(wg: string, change: string): Promise<SavedChange | null> {
  const undone = await call(historyApi.undo, { params: { wg, change } });
  await queryClient.invalidateQueries();
  return undone;
}
