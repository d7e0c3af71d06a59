import type { Alert, AlertTestResult, NewAlert } from '@albedo/contract/alerts/alerts.schema';
import { Button, Table } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { checked } from '../../app/faults.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { resolveRange, type TimeRangeChoice } from '../../ui/time-range/time-range.ts';
import { TimeRangePicker } from '../../ui/time-range/time-range-picker.tsx';
import { resolveZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { openOverTime } from '../../ui/time-series-chart/open-over-time.ts';
import type { ChartSeries } from '../../ui/time-series-chart/series-data.ts';
import { TimeSeriesChart } from '../../ui/time-series-chart/time-series-chart.tsx';
import { formatLongDuration } from '../../ui/units/durations.ts';
import { formatDecimal, formatNumber, formatWhole } from '../../ui/units/numbers.ts';
import { WideTable } from '../../ui/wide-table.tsx';
import classes from './alerts.module.css';
import { testAlert } from './alerts.queries.ts';
import { alertSchema } from './fields.ts';

type Replay = AlertTestResult['result'];

/** Firings in the list. */
const LISTED = 100;

interface AlertTestProps {
  draft: NewAlert;
  /** What stands now, to hold it against. */
  saved: Alert | null;
}

/** Tries the alert, as it is written, on what is stored: what it would have told, beside what stands now. */
export function AlertTest({ draft, saved }: AlertTestProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const [time, setTime] = useState<TimeRangeChoice>({
    range: { kind: 'preset', preset: 'last-7-days' },
    zone: '',
    isRefreshing: false,
  });
  const [result, setResult] = useState<AlertTestResult | null>(null);
  const { attempt, isWorking, failure } = useAttempt();
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const zone = resolveZone(time.zone);
  const run = () =>
    void attempt(async () => {
      const { from, to } = resolveRange(time.range, Date.now(), zone);
      const now = Date.now();
      running.current = new AbortController();
      const alert = checked(alertSchema, { ...draft, name: draft.name.trim() || t('alerts.new') });
      const body = { alert, from, to: Math.min(to, now), against: saved?._id ?? null };
      setResult(await testAlert(wg, body, running.current.signal));
    });
  return (
    <Section
      title={t('alerts.test.title')}
      context={t('alerts.test.about')}
      actions={
        <>
          <TimeRangePicker value={time} onChange={setTime} />
          <Button
            variant="default"
            leftSection={<IconPlayerPlay size={16} />}
            loading={isWorking}
            onClick={run}
          >
            {t('alerts.test.run')}
          </Button>
        </>
      }
    >
      <Failure text={failure} />
      <div aria-live="polite">{result ? <Result result={result} zone={zone} /> : null}</div>
    </Section>
  );
}

function Result({ result, zone }: { result: AlertTestResult; zone: string }) {
  const { t } = useTranslation();
  const { from, to, rows, stepMs, result: now, against } = result;
  const [span, setSpan] = useState({ from, to });
  const series = useMemo(() => {
    const lineOf = (id: string, label: string, { firings }: Replay, isOld: boolean): ChartSeries => ({
      id,
      label,
      units: null,
      isStepped: true,
      style: 0,
      ...(isOld ? { ghost: 'earlier' as const } : {}),
      points: openOverTime(firings, span, to),
    });
    return [
      lineOf('new', t('alerts.test.new'), now, false),
      ...(against ? [lineOf('old', t('alerts.test.old'), against, true)] : []),
    ];
  }, [t, now, against, span, to]);
  return (
    <div className={classes.fields}>
      <WideTable label={t('alerts.test.about')} leastPx={against ? 420 : 300}>
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            <Table.Th scope="col" ta="right">
              {t('alerts.test.new')}
            </Table.Th>
            {against ? (
              <Table.Th scope="col" ta="right">
                {t('alerts.test.old')}
              </Table.Th>
            ) : null}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {(['total', 'perDay', 'mostIn10Minutes', 'messages'] as const).map((name) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{t(`alerts.test.${name}`)}</Table.Th>
              {[now, ...(against ? [against] : [])].map((one, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the new one and the old one.
                <Table.Td key={at} ta="right" className={classes.number ?? ''}>
                  {name === 'perDay' ? formatDecimal(one.perDay, 2) : formatWhole(one[name])}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
      <p className={classes.note}>
        {t('alerts.test.rows', { count: rows, text: formatWhole(rows) })}
        {stepMs === null ? '' : ` ${t('alerts.test.step', { step: formatLongDuration(stepMs) })}`}
      </p>
      {now.total === 0 && !against?.total ? (
        <EmptyState title={t('alerts.test.none')} text={t('alerts.test.noneText')} />
      ) : (
        <>
          <TimeSeriesChart
            title={t('alerts.test.chart')}
            series={series}
            span={span}
            timeZone={zone}
            height={180}
            onZoom={setSpan}
            onZoomOut={() => setSpan({ from, to })}
            canZoomOut={span.from !== from || span.to !== to}
          />
          <Firings replay={now} zone={zone} />
        </>
      )}
    </div>
  );
}

function Firings({ replay: { firings, total }, zone }: { replay: Replay; zone: string }) {
  const { t } = useTranslation();
  if (firings.length === 0) return null;
  return (
    <>
      <WideTable label={t('alerts.test.firings')} leastPx={560}>
        <Table.Thead>
          <Table.Tr>
            {(['about', 'begun', 'lasted', 'value', 'times'] as const).map((name) => (
              <Table.Th key={name} scope="col">
                {t(`alerts.test.columns.${name}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {firings.slice(0, LISTED).map(({ device, deviceName, source, from, to, value, count }) => (
            <Table.Tr key={`${device} ${source} ${from}`}>
              <Table.Th scope="row">{source === null ? deviceName : `${source} · ${deviceName}`}</Table.Th>
              <Table.Td>{formatInstant(from, zone)}</Table.Td>
              <Table.Td>{to === null ? t('alerts.test.stillOpen') : formatLongDuration(to - from)}</Table.Td>
              <Table.Td>{typeof value === 'number' ? formatNumber(value) : value}</Table.Td>
              <Table.Td>{formatWhole(count)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
      {total > LISTED ? (
        <p className={classes.note}>
          {t('alerts.test.more', { count: total - LISTED, text: formatWhole(total - LISTED) })}
        </p>
      ) : null}
    </>
  );
}
