import type { AlarmLoad } from '@albedo/contract/incidents/incidents.schema';
import { Button, Table } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { loadQuery } from '../../app/incidents/incidents-query.ts';
import { notifyDone } from '../../app/notify.ts';
import { useSpan, useZoom } from '../../app/series/use-span.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import { ChartSkeleton } from '../../ui/skeletons.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import type { Span } from '../../ui/time-range/time-range.ts';
import { resolveZone } from '../../ui/time-range/time-zone.ts';
import { TimeSeriesChart } from '../../ui/time-series-chart/time-series-chart.tsx';
import { formatDecimal, formatWhole, NO_VALUE } from '../../ui/units/numbers.ts';
import { WideTable } from '../../ui/wide-table.tsx';
import { alertsQuery, definitionOf, saveAlert, useMayEditAlerts } from '../alerts/alerts.queries.ts';
import type { TabProps } from './active-tab.tsx';
import { HistoryRange } from './history-tab.tsx';
import classes from './incidents.module.css';

type BadActor = AlarmLoad['badActors'][number];
type Metric = AlarmLoad['metrics'][number];

/** How many alarms people get, held against EEMUA 191 and ISA-18.2, and which alerts make the most of them. */
export function LoadTab({ address, change }: TabProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const zone = resolveZone(address.time.zone);
  const span = useSpan(address.time, zone);
  const { data, error, refetch } = useQuery({ ...loadQuery(wg, span), placeholderData: keepPreviousData });
  return (
    <div className={classes.scroll}>
      <div className={classes.tools}>
        <HistoryRange address={address} change={change} />
        <span className={classes.dim}>{t('incidents.load.about')}</span>
      </div>
      {error && !data ? (
        <ErrorState title={t('incidents.load.failed')} error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <ChartSkeleton height={420} />
      ) : (
        <div className={classes.loads}>
          <Verdict load={data} />
          <Section title={t('incidents.load.metrics')} isFlush>
            <ul className={classes.metrics}>
              {data.metrics.map((metric) => (
                <MetricLine key={metric.name} metric={metric} />
              ))}
            </ul>
          </Section>
          <Course load={data} zone={zone} address={address} change={change} span={span} />
          <Section title={t('incidents.load.actors')} context={t('incidents.load.actorsText')} isFlush>
            {data.badActors.length === 0 ? (
              <EmptyState title={t('incidents.load.noActors')} />
            ) : (
              <BadActors actors={data.badActors} />
            )}
          </Section>
        </div>
      )}
    </div>
  );
}

/** Whether people can work with it, in one line. */
function Verdict({ load }: { load: AlarmLoad }) {
  const { t } = useTranslation();
  const missed = load.metrics.filter(({ isMet }) => isMet === false).length;
  return (
    <p className={classes.verdict}>
      <LevelIcon mark={missed === 0 ? 'ok' : 'warning'} size={16} />
      <b>{t('incidents.load.total', { count: load.total, text: formatWhole(load.total) })}</b>
      <span>{missed === 0 ? t('incidents.load.allMet') : t('incidents.load.missed', { count: missed })}</span>
    </p>
  );
}

/** A number of a guideline: what it is, what it should be, and whether it is. */
function MetricLine({ metric: { name, value, limit, isMet } }: { metric: Metric }) {
  const { t } = useTranslation();
  const shown = (one: number | null) =>
    one === null ? NO_VALUE : `${formatDecimal(one, 2)}${name.endsWith('Percent') ? ' %' : ''}`;
  return (
    <li data-met={isMet ?? undefined}>
      <span>
        {t(`incidents.load.metric.${name}`)}
        <small>{limit === null ? null : t(`incidents.load.limit.${name}`, { limit: shown(limit) })}</small>
      </span>
      <b>{shown(value)}</b>
      <span className={classes.met} data-met={isMet ?? undefined}>
        {isMet === null ? null : <LevelIcon mark={isMet ? 'ok' : 'warning'} size={13} />}
        {t(
          isMet === null ? 'incidents.load.unknown' : isMet ? 'incidents.load.met' : 'incidents.load.notMet',
        )}
      </span>
    </li>
  );
}

const TEN_MINUTES = 600_000;

function Course({
  load,
  zone,
  address,
  change,
  span,
}: TabProps & { load: AlarmLoad; zone: string; span: Span }) {
  const { t } = useTranslation();
  const zooming = useZoom(address.time, span, (time) => change({ time }));
  const series = useMemo(() => {
    const counts = load.course.map(({ count }) => count);
    const all = counts.reduce((sum, one) => sum + one, 0);
    return [
      {
        id: 'course',
        label: t('incidents.load.announced'),
        units: null,
        points: {
          stepMs: TEN_MINUTES,
          times: load.course.map(({ at }) => at),
          min: counts,
          avg: counts,
          max: counts,
          stats: {
            count: counts.length,
            min: counts.length === 0 ? null : Math.min(...counts),
            avg: counts.length === 0 ? null : all / counts.length,
            max: counts.length === 0 ? null : Math.max(...counts),
            last: counts.at(-1) ?? null,
          },
        },
      },
    ];
  }, [load.course, t]);
  return (
    <div className={classes.card}>
      <TimeSeriesChart
        title={t('incidents.load.course')}
        series={series}
        span={span}
        timeZone={zone}
        height={180}
        legendHeight={0}
        style="column"
        emptyText={t('incidents.load.quiet')}
        canZoomOut={zooming.canZoomOut}
        onZoom={zooming.zoom}
        onZoomOut={zooming.zoomOut}
      />
    </div>
  );
}

/** Alerts and what they are about that make the most alarms, each with what would lower it. */
function BadActors({ actors }: { actors: readonly BadActor[] }) {
  const { t } = useTranslation();
  const mayEdit = useMayEditAlerts();
  const [asked, setAsked] = useState<BadActor | null>(null);
  return (
    <>
      <WideTable label={t('incidents.load.actors')} leastPx={760}>
        <Table.Thead>
          <Table.Tr>
            {(['subject', 'alert', 'count', 'share', 'why', 'cure'] as const).map((name) => (
              <Table.Th
                key={name}
                scope="col"
                {...(name === 'count' || name === 'share' ? { ta: 'right' as const } : {})}
              >
                {t(`incidents.load.columns.${name}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {actors.map((actor) => (
            <Table.Tr key={`${actor.alert} ${actor.subject} ${actor.device}`}>
              <Table.Th scope="row">{actor.subject}</Table.Th>
              <Table.Td>{actor.name}</Table.Td>
              <Table.Td ta="right" className={classes.number ?? ''}>
                {formatWhole(actor.count)}
              </Table.Td>
              <Table.Td
                ta="right"
                className={classes.number ?? ''}
              >{`${formatDecimal(actor.percent, 1)} %`}</Table.Td>
              <Table.Td>
                {[
                  actor.isChattering ? t('incidents.load.chatters') : '',
                  actor.isStale ? t('incidents.load.isStale') : '',
                ]
                  .filter(Boolean)
                  .join(', ') || NO_VALUE}
              </Table.Td>
              <Table.Td>
                {actor.cure ? (
                  <span className={classes.cure}>
                    {t(`incidents.load.cure.${actor.cure.change}`, {
                      minutes: actor.cure.minutes,
                      count: actor.cure.count,
                      text: formatWhole(actor.cure.count),
                    })}
                    {mayEdit ? (
                      <Button size="compact-xs" variant="default" onClick={() => setAsked(actor)}>
                        {t('incidents.load.apply')}
                      </Button>
                    ) : null}
                  </span>
                ) : (
                  NO_VALUE
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
      {asked?.cure ? <ApplyDialog actor={asked} cure={asked.cure} onClose={() => setAsked(null)} /> : null}
    </>
  );
}

interface ApplyProps {
  actor: BadActor;
  cure: NonNullable<BadActor['cure']>;
  onClose: () => void;
}

/** Changes the alert as the cure says, for everything that it is about. */
function ApplyDialog({ actor, cure, onClose }: ApplyProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data } = useQuery(alertsQuery(wg));
  const alert = data?.find(({ _id }) => _id === actor.alert);
  return (
    <ConfirmDialog
      isHarmless
      confirm={t('incidents.load.apply')}
      onClose={onClose}
      onConfirm={async () => {
        if (!alert) throw new Error(t('incidents.load.alertGone'));
        await saveAlert(wg, alert, { ...definitionOf(alert), [cure.change]: cure.minutes });
        notifyDone(t('incidents.load.applied', { name: alert.name }));
      }}
    >
      {t(`incidents.load.ask.${cure.change}`, {
        name: actor.name,
        minutes: cure.minutes,
        before: alert?.[cure.change] ?? 0,
      })}
    </ConfirmDialog>
  );
}
