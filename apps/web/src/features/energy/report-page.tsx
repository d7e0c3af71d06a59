import { ENERGY_REPORTS, type EnergyReportName } from '@albedo/contract/energy/energy.names';
import type { EnergyReport, ReportRow } from '@albedo/contract/energy/energy.schema';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { askCsv } from '../../ui/csv/csv-ask.ts';
import { Section } from '../../ui/section.tsx';
import { ChartSkeleton, FiguresSkeleton } from '../../ui/skeletons.tsx';
import { EmptyState, ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { agoText } from '../../ui/units/durations.ts';
import { daysOf } from './day-range.ts';
import { DayViews } from './day-views.tsx';
import classes from './energy.module.css';
import { reportQuery, saveReport } from './energy.queries.ts';
import { hasDays, questionOf, type ReportAddress, useReportAddress } from './report-address.ts';
import { ReportChart } from './report-chart.tsx';
import { ReportHead } from './report-head.tsx';
import { ReportMissing } from './report-missing.tsx';
import { ReportNotes } from './report-notes.tsx';
import { ReportTable } from './report-table.tsx';
import { ReviewDialog } from './review-dialog.tsx';
import { Totals } from './totals.tsx';
import { useRowLinks } from './use-row-links.tsx';
import { useSelection } from './use-selection.ts';

/** One of the reports, as the address names it. */
export function ReportPage() {
  const { pathname } = useLocation();
  const name = ENERGY_REPORTS.find((one) => pathname.endsWith(`/report/${one}`));
  return name ? <Report key={name} name={name} /> : null;
}

/** The report of that name. */
export function Report({ name }: { name: EnergyReportName }) {
  const wg = useWorkgroup();
  const [address, change] = useReportAddress();
  const isSettled = useSelection(wg, name);
  const now = useNow(60_000);
  const days = daysOf(address.range, now, userZone());
  const question = questionOf(address, days);
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...reportQuery(wg, name, question),
    enabled: isSettled,
  });
  const { t } = useTranslation();
  return (
    <div className={classes.report}>
      <ReportHead
        address={address}
        days={days}
        path={data?.path ?? [{ scope: 'portfolio', name: '' }]}
        onChange={change}
      />
      <Text size="sm" c="dimmed" maw={800}>
        {t(`energy.about.${name}`)}
      </Text>
      {error && !data ? (
        <ErrorState title={t('energy.failed')} error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Content
          wg={wg}
          report={data}
          address={address}
          isRefreshing={isPlaceholderData}
          onChange={change}
          onDownload={async () =>
            askCsv({ title: name, send: (style) => saveReport(wg, name, question, style) })
          }
        />
      ) : (
        <>
          <FiguresSkeleton count={4} />
          <ChartSkeleton height={330} />
          <TableSkeleton rows={8} />
        </>
      )}
    </div>
  );
}

interface ContentProps {
  wg: string;
  report: EnergyReport;
  address: ReportAddress;
  isRefreshing: boolean;
  onChange: ReturnType<typeof useReportAddress>[1];
  onDownload: () => Promise<void>;
}

function Content({ wg, report, address, isRefreshing, onChange, onDownload }: ContentProps) {
  const { t } = useTranslation();
  const now = useNow(60_000);
  const [reviewed, setReviewed] = useState<ReportRow | null>(null);
  const { openRow, menuOf } = useRowLinks({
    wg,
    timezone: report.timezone,
    onScope: useCallback((scope: string) => onChange({ scope, view: 'table' }), [onChange]),
    onReview: setReviewed,
  });
  const { rows, missing, notes, computedAt } = report;
  if (rows.length === 0 && missing.length > 0)
    return (
      <EmptyState title={t('energy.empty')} text={t('energy.emptyText')}>
        <ReportMissing missing={missing} />
      </EmptyState>
    );
  const isDayView = hasDays(report.report) && address.view !== 'table';
  return (
    <>
      <div className={classes.beside}>
        <Totals report={report} />
        <ReportNotes notes={notes} />
      </div>
      {missing.length > 0 ? (
        <Section title={t('energy.inParts')}>
          <ReportMissing missing={missing} />
        </Section>
      ) : null}
      <ReportChart report={report} address={address} isRefreshing={isRefreshing} onChange={onChange} />
      {hasDays(report.report) ? (
        <DayViews wg={wg} report={report} view={address.view} onChange={onChange} />
      ) : null}
      {isDayView ? null : (
        <ReportTable
          report={report}
          isRefreshing={isRefreshing}
          onOpen={openRow}
          actions={menuOf}
          onDownload={onDownload}
        />
      )}
      <p className={classes.note}>
        {report.timezone === 'device' ? t('energy.ownClocks') : t('energy.clock', { clock: report.timezone })}
        {computedAt === null ? '' : ` · ${t('energy.computed', { ago: agoText(computedAt, now) })}`}
      </p>
      {reviewed ? <ReviewDialog wg={wg} row={reviewed} onClose={() => setReviewed(null)} /> : null}
    </>
  );
}
