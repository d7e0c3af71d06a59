import type { CsvStyle } from '@albedo/contract/csv/csv-style.schema';
import { csvText } from '@albedo/contract/csv/csv-writer';
import { type ExportFormat, exportFormat, exportsApi } from '@albedo/contract/searches/exports.api';
import { MAILED_ROWS, SAVED_ROWS, type SavedSearch } from '@albedo/contract/searches/searches.schema';
import { CSV_ROWS } from '@albedo/contract/telemetry/search.schema';
import type { TableInfo } from '@albedo/contract/telemetry/telemetry.schema';
import { Button, Group, SegmentedControl, Switch } from '@mantine/core';
import { IconColumns3, IconDownload, IconFileExport, IconMail, IconSettings } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../app/call.ts';
import { notifyDone, notifyFailure } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useWork } from '../../app/use-submit.ts';
import { askCsv } from '../../ui/csv/csv-ask.ts';
import { keptChoice, styleOf } from '../../ui/csv/csv-choice.ts';
import { ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatWhole } from '../../ui/units/numbers.ts';
import { refreshLongActions } from '../long-actions/long-actions.queries.ts';
import { FieldsPopover } from './fields-popover.tsx';
import { baseQuery, type Found } from './found.ts';
import type { ResultProps } from './result.ts';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { timeframeOf } from './search-draft.ts';
import classes from './searches.module.css';
import { downloadSample, recordsQuery, scheduleQuery } from './searches.queries.ts';

interface ResultCsvProps extends ResultProps {
  saved: SavedSearch | null;
  total: number | undefined;
}

/** The records as a file: its first lines, a sample, all of it in the background, and by mail. */
export function ResultCsv({ run, draft, info, onChange, saved, total }: ResultCsvProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { csv } = draft;
  const { table, sort } = run.draft;
  const [format, setFormat] = useState<ExportFormat>('csv');
  const [isScheduling, setScheduling] = useState(false);
  const all = useMemo(() => (info?.fields ?? []).map(({ name }) => name), [info]);
  const fields = useMemo(() => (csv.fields.length > 0 ? { fields: csv.fields } : {}), [csv.fields]);
  const query = useMemo(() => ({ ...baseQuery(run.draft), sort, ...fields }), [run.draft, sort, fields]);
  const { isWorking, work } = useWork((error) => notifyFailure(t('searches.exportFailed'), error));

  const exportAll = (style?: CsvStyle) =>
    work(async () => {
      const { filters, filterOperator, dateField, time } = run.draft;
      const timeframe = timeframeOf(time.range);
      const body = {
        filters,
        filterOperator,
        dateField,
        timeframe,
        sort,
        timezone: query.timezone,
        ...fields,
        format,
        ...(style ? { csv: style } : {}),
      };
      await call(exportsApi.begin, { params: { wg, table }, body });
      await refreshLongActions();
      notifyDone(t('searches.exporting'));
    });
  return (
    <div className={classes.panel}>
      <Group gap="md">
        <Switch
          label={t('searches.enable')}
          checked={csv.enabled}
          onChange={(event) => onChange({ csv: { ...csv, enabled: event.currentTarget.checked } })}
        />
        <FieldsPopover
          label={t('searches.columns')}
          icon={<IconColumns3 size={15} />}
          fields={all}
          chosen={csv.fields}
          none={t('searches.all')}
          onChange={(chosen) => onChange({ csv: { ...csv, fields: chosen } })}
        />
        <Button
          variant="default"
          size="xs"
          leftSection={<IconDownload size={15} />}
          loading={isWorking}
          onClick={() =>
            askCsv({
              title: table,
              send: (style) => downloadSample(wg, table, { ...query, rows: MAILED_ROWS }, style),
            })
          }
        >
          {t('searches.sample', { most: formatWhole(MAILED_ROWS) })}
        </Button>
      </Group>
      <Group gap="xs">
        <SegmentedControl
          size="xs"
          aria-label={t('searches.format')}
          value={format}
          data={exportFormat.options.map((value) => ({ value, label: t(`searches.formats.${value}`) }))}
          onChange={(value) => setFormat(exportFormat.parse(value))}
        />
        <Button
          size="xs"
          variant="default"
          leftSection={<IconFileExport size={15} />}
          loading={isWorking}
          onClick={() => (format === 'csv' ? askCsv({ title: table, send: exportAll }) : void exportAll())}
        >
          {t('searches.exportAll', { count: total ?? 0, total: formatWhole(total ?? 0) })}
        </Button>
        <span className={classes.dim}>{t('searches.exportLimit', { most: formatWhole(CSV_ROWS) })}</span>
      </Group>
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconMail size={15} />}
          disabled={!saved?.schedulable}
          title={saved?.schedulable ? undefined : t('searches.scheduleNeeds')}
          onClick={() => setScheduling(true)}
        >
          {t('searches.schedule')}
        </Button>
        {csv.enabled ? (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconSettings size={15} />}
            onClick={() =>
              askCsv({
                title: t('searches.mailedFile'),
                submit: t('searches.keepStyle'),
                send: async (style) => onChange({ csv: { ...csv, style } }),
              })
            }
          >
            {t('searches.mailedStyle')}
          </Button>
        ) : null}
        {saved?.schedulable ? (
          <ScheduleLine search={saved._id} />
        ) : (
          <span className={classes.dim}>{t('searches.scheduleNeeds')}</span>
        )}
      </Group>
      <Preview run={run} query={query} names={csv.fields.length > 0 ? csv.fields : all} info={info} />
      {isScheduling && saved ? <ScheduleDialog saved={saved} onClose={() => setScheduling(false)} /> : null}
    </div>
  );
}

/** Whom it is mailed to, at a glance. */
function ScheduleLine({ search }: { search: string }) {
  const { t } = useTranslation();
  const { data } = useQuery(scheduleQuery(useWorkgroup(), search));
  if (!data) return null;
  if (data.stopped) return <span className={classes.stale}>{t(`searches.stopped.${data.stopped}`)}</span>;
  const to = data.recipients.join(', ');
  return (
    <span className={classes.dim}>
      {t(data.enabled ? 'searches.mailedTo' : 'searches.notMailed', { to })}
    </span>
  );
}

interface PreviewProps extends Pick<ResultProps, 'run' | 'info'> {
  query: Parameters<typeof recordsQuery>[2];
  /** Columns of the file. */
  names: readonly string[];
}

function Preview({ run, query, names, info }: PreviewProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data, error, refetch } = useQuery(
    recordsQuery(wg, run.draft.table, { ...query, rows: SAVED_ROWS.csv }, run.number),
  );
  if (error)
    return <ErrorState title={t('searches.csvFailed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <TableSkeleton rows={8} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls inside itself.
    <section className={classes.lines} aria-label={t('searches.preview')} tabIndex={0}>
      <pre>{linesOf(data.records as Found[], names, info)}</pre>
    </section>
  );
}

const TIMES: readonly string[] = ['event_time', 'store_time'];

/** As the file has them, in the way that was chosen last. */
function linesOf(records: readonly Found[], names: readonly string[], info: TableInfo | undefined): string {
  const columns = names.map((title) => {
    const field = info?.fields.find(({ name }) => name === title);
    const isTime = TIMES.includes(title) || field?.type === 'date';
    return { title, isTime, units: isTime ? null : field?.units };
  });
  const cellIn = (row: Found, { title, isTime }: (typeof columns)[number]) => {
    const value = row[title] ?? null;
    return isTime && value !== null ? new Date(value) : value;
  };
  const rows = records.map((row) => columns.map((column) => cellIn(row, column)));
  return csvText(columns, rows, { ...styleOf(keptChoice(), userZone()), bom: false });
}
