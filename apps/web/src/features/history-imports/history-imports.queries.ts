import { historyImportsApi } from '@albedo/contract/history-imports/history-imports.api';
import {
  type AskedLayout,
  HISTORY_PART_BYTES,
  type HistoryFormat,
  type HistoryImport,
  type HistoryPlan,
  type HistoryPreview,
} from '@albedo/contract/history-imports/history-imports.schema';
import { queryOptions } from '@tanstack/react-query';
import { call, upload } from '../../app/call.ts';
import { followList, unlessTold } from '../../app/live-list.ts';
import { queryClient } from '../../app/query-client.ts';
import { refreshLongActions } from '../long-actions/long-actions.queries.ts';

followList('history-imports', ['history-imports']);

const keyOf = (wg: string) => ['history-imports', wg] as const;
const changed = (wg: string) => queryClient.invalidateQueries({ queryKey: keyOf(wg) });

/** The files of history of a workgroup and what became of them, newest first. */
export const historyImportsQuery = (wg: string) =>
  queryOptions({
    queryKey: keyOf(wg),
    queryFn: ({ signal }) => call(historyImportsApi.list, { params: { wg } }, signal),
    refetchInterval: unlessTold(10_000),
  });

/** Sends a file part by part; `onSent` hears the bytes that are there. The answer is the import, ready for its plan. */
export async function sendHistory(
  wg: string,
  file: File,
  format: HistoryFormat,
  { onSent, signal }: { onSent: (bytes: number) => void; signal: AbortSignal },
): Promise<HistoryImport> {
  const body = { name: file.name, format, bytes: file.size };
  const made = await call(historyImportsApi.create, { params: { wg }, body }, signal);
  const params = { wg, historyImport: made._id };
  let from = 0;
  while (from < file.size) {
    const part = new File([file.slice(from, from + HISTORY_PART_BYTES)], 'part');
    const { received } = await upload(historyImportsApi.sendPart, { params, body: { from } }, [part], signal);
    // Somebody took it away meanwhile: the next step says so.
    if (received <= from) break;
    from = received;
    onSent(from);
  }
  await changed(wg);
  return { ...made, received: file.size, state: 'ready' };
}

/** How a file is written, and with a plan the events that it becomes. */
export const previewHistory = (
  wg: string,
  historyImport: string,
  plan: HistoryPlan | null,
  layout: AskedLayout | null = null,
): Promise<HistoryPreview> =>
  call(historyImportsApi.preview, { params: { wg, historyImport }, body: { plan, layout } }, undefined, {
    timeout: 120_000,
  });

export async function startHistory(wg: string, historyImport: string, plan: HistoryPlan): Promise<void> {
  await call(historyImportsApi.start, { params: { wg, historyImport }, body: { plan } });
  await Promise.all([changed(wg), refreshLongActions()]);
}

export async function undoHistory(wg: string, historyImport: string): Promise<void> {
  await call(historyImportsApi.undo, { params: { wg, historyImport }, body: {} });
  await Promise.all([changed(wg), refreshLongActions()]);
}

export async function removeHistory(wg: string, historyImport: string): Promise<void> {
  await call(historyImportsApi.remove, { params: { wg, historyImport } });
  await changed(wg);
}
