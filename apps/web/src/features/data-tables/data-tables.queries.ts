import { dataTablesApi } from '@albedo/contract/data-tables/data-tables.api';
import type { FieldWords, NewLegalHold, StoredField } from '@albedo/contract/data-tables/data-tables.schema';
import { telemetryApi } from '@albedo/contract/telemetry/telemetry.api';
import type { TableInfo } from '@albedo/contract/telemetry/telemetry.schema';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { refreshLongActions } from '../long-actions/long-actions.queries.ts';
import { refreshWorkgroups } from '../workgroups/workgroups.queries.ts';

const keyOf = (wg: string) => ['data-tables', wg] as const;
/** Measuring reads a whole workgroup, so what was measured is good for a while. */
const MEASURED_MS = 60_000;

/** The tables of a workgroup with what each of them takes, by name. */
export const dataTablesQuery = (wg: string) =>
  queryOptions({
    queryKey: [...keyOf(wg), 'list'],
    queryFn: ({ signal }) => call(dataTablesApi.list, { params: { wg } }, signal),
    staleTime: MEASURED_MS,
  });

export const dataTableQuery = (wg: string, table: string) =>
  queryOptions({
    queryKey: [...keyOf(wg), 'table', table],
    queryFn: ({ signal }) => call(dataTablesApi.get, { params: { wg, table } }, signal),
    staleTime: MEASURED_MS,
  });

export const storageQuery = (wg: string) =>
  queryOptions({
    queryKey: [...keyOf(wg), 'storage'],
    queryFn: ({ signal }) => call(dataTablesApi.storage, { params: { wg } }, signal),
    staleTime: MEASURED_MS,
  });

/** A field with what devices sent, where it was seen (epoch ms), and what people call it. */
export interface FieldRow extends StoredField, Pick<FieldWords, 'displayName'> {
  /** In place of what devices said. */
  ownUnits: string | null;
  firstAt: number | null;
  lastAt: number | null;
  sources: readonly string[];
}

/** The fields of a table, by name. */
export const fieldsQuery = (wg: string, table: string) =>
  queryOptions({
    queryKey: [...keyOf(wg), 'fields', table],
    queryFn: async ({ signal }) => {
      const [{ fields }, info, words] = await Promise.all([
        call(dataTablesApi.get, { params: { wg, table } }, signal),
        call(telemetryApi.table, { params: { wg, table } }, signal),
        call(dataTablesApi.words, { params: { wg } }, signal),
      ]);
      return fields.map((field) =>
        rowOf(
          field,
          info,
          words.filter((one) => one.table === table),
        ),
      );
    },
    staleTime: MEASURED_MS,
  });

function rowOf(stored: StoredField, info: TableInfo, words: readonly FieldWords[]): FieldRow {
  const seen = info.fields.find(({ name }) => name === stored.field);
  const own = words.find(({ field }) => field === stored.field);
  return {
    ...stored,
    displayName: own?.displayName ?? null,
    ownUnits: own?.units ?? null,
    firstAt: seen?.firstAt ?? null,
    lastAt: seen?.lastAt ?? null,
    sources: seen?.sources ?? [],
  };
}

const refresh = (wg: string): Promise<void> => queryClient.invalidateQueries({ queryKey: keyOf(wg) });

export async function setFieldWords(wg: string, body: FieldWords): Promise<void> {
  await call(dataTablesApi.setWords, { params: { wg }, body });
  await refresh(wg);
}

export async function setRetention(wg: string, table: string, days: number | null): Promise<void> {
  await call(dataTablesApi.retain, { params: { wg, table }, body: { retentionDays: days } });
  await refresh(wg);
}

/** Of tables without a retention of their own. */
export async function setDefaultRetention(wg: string, days: number | null): Promise<void> {
  await call(dataTablesApi.retainAll, { params: { wg }, body: { retentionDays: days } });
  await Promise.all([refresh(wg), refreshWorkgroups()]);
}

/** What the next night would delete; the earlier answer stays until the next one is there. */
export const retentionPreviewQuery = (wg: string, query: { days: number; table?: string }) =>
  queryOptions({
    queryKey: [...keyOf(wg), 'goes', query],
    queryFn: ({ signal }) => call(dataTablesApi.previewRetention, { params: { wg }, query }, signal),
    placeholderData: keepPreviousData,
    staleTime: MEASURED_MS,
  });

export async function setForecasts(wg: string, table: string, holdsForecasts: boolean): Promise<void> {
  await call(dataTablesApi.setForecasts, { params: { wg, table }, body: { holdsForecasts } });
  await refresh(wg);
}

/** How much a table stores of each month, its holds and its deletions; a deletion takes a while. */
export const tableStorageQuery = (wg: string, table: string) =>
  queryOptions({
    queryKey: [...keyOf(wg), 'months', table],
    queryFn: ({ signal }) => call(dataTablesApi.tableStorage, { params: { wg, table } }, signal),
    staleTime: MEASURED_MS,
    refetchInterval: ({ state }) => (state.data?.dropped.some(({ isDone }) => !isDone) ? 2000 : false),
  });

/** Starts to drop a month; the server goes on by itself. */
export async function dropMonth(
  wg: string,
  { table, month, phrase }: { table: string; month: string; phrase: string },
): Promise<void> {
  await call(dataTablesApi.dropMonth, { params: { wg, table, month }, body: { phrase } });
  await Promise.all([refresh(wg), refreshLongActions()]);
}

export async function placeHold(wg: string, body: NewLegalHold): Promise<void> {
  await call(dataTablesApi.hold, { params: { wg }, body });
  await refresh(wg);
}

export async function releaseHold(wg: string, hold: string): Promise<void> {
  await call(dataTablesApi.releaseHold, { params: { wg, hold } });
  await refresh(wg);
}

/** Begins the deletion, which goes on by itself. */
export async function removeDataTable(wg: string, table: string, phrase: string): Promise<void> {
  await call(dataTablesApi.remove, { params: { wg, table }, body: { phrase } });
  await Promise.all([refresh(wg), refreshLongActions()]);
}
