import type { CsvStyle } from '@albedo/contract/csv/csv-style.schema';
import { energyApi } from '@albedo/contract/energy/energy.api';
import type { EnergyReportName } from '@albedo/contract/energy/energy.names';
import type { dayReview, ReportQuestion } from '@albedo/contract/energy/energy.schema';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { call, download } from '../../app/call.ts';
import { followList } from '../../app/live-list.ts';
import { queryClient } from '../../app/query-client.ts';
import { saveFile } from '../../ui/data-table/csv.ts';

followList('energy', ['energy']);

/** Rows that came late are in every figure within so many ms, and so is an open report. */
const NEW_FIGURES_MS = 60_000;
/** A report over years of a hundred sites takes a while before its days are kept. */
const PATIENCE = { timeout: 60_000 };

export type Question = Omit<ReportQuestion, 'format' | 'csvStyle'>;

/** A report as it stands now; the one before stays on screen while another one is asked for. */
export const reportQuery = (wg: string, report: EnergyReportName, question: Question) =>
  queryOptions({
    queryKey: ['energy', wg, 'report', report, question],
    queryFn: ({ signal }) =>
      call(energyApi.report, { params: { wg, report }, query: question }, signal, PATIENCE),
    staleTime: NEW_FIGURES_MS,
    refetchInterval: NEW_FIGURES_MS,
    placeholderData: keepPreviousData,
  });

/** The energy of days as it is kept, source by source. */
export const daysQuery = (wg: string, question: Pick<Question, 'from' | 'to' | 'scope'>) =>
  queryOptions({
    queryKey: ['energy', wg, 'days', question],
    queryFn: ({ signal }) => call(energyApi.days, { params: { wg }, query: question }, signal, PATIENCE),
    staleTime: NEW_FIGURES_MS,
    refetchInterval: NEW_FIGURES_MS,
    placeholderData: keepPreviousData,
  });

/** What the person last looked at in each report, as the search part of its address. */
export const selectionsQuery = (wg: string) =>
  queryOptions({
    queryKey: ['energy-selections', wg],
    queryFn: ({ signal }) => call(energyApi.selections, { params: { wg } }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

export async function keepSelection(wg: string, report: EnergyReportName, search: string): Promise<void> {
  const kept = await call(energyApi.select, { params: { wg, report }, body: { search } });
  queryClient.setQueryData(selectionsQuery(wg).queryKey, kept);
}

/** The same report as a file, with every column and the units of each. */
export async function saveReport(
  wg: string,
  report: EnergyReportName,
  question: Question,
  style: CsvStyle,
): Promise<void> {
  const query = { ...question, format: 'csv' as const, csvStyle: JSON.stringify(style) };
  const { blob, name } = await download(energyApi.report, { params: { wg, report }, query });
  saveFile(name ?? `${report}_${question.from}_${question.to}.csv`, blob);
}

/** Decides of a day; every report is asked for again. */
export async function reviewDay(wg: string, body: z.input<typeof dayReview>): Promise<void> {
  await call(energyApi.review, { params: { wg }, body });
  await forgetReports(wg);
}

/** Something that reports stand on is another one now. */
export const forgetReports = (wg: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: ['energy', wg] });
