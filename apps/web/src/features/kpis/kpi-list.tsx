import type { Kpi, KpiAnswer } from '@albedo/contract/kpis/kpis.schema';
import { Button, Group, Skeleton, VisuallyHidden } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EntitySelect, useEntityChoice } from '../../app/figures/entity-select.tsx';
import { resultsOf, whyMissing } from '../../app/figures/figures.ts';
import { partialIntervals } from '../../app/figures/partial-intervals.ts';
import { useWorkgroup } from '../../app/session.ts';
import { PageAction } from '../../ui/page.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { rangeLabel } from '../../ui/time-range/time-range.ts';
import { shownValue } from '../../ui/units/units.ts';
import { useKpiQuestion } from './kpi-range.ts';
import classes from './kpis.module.css';
import { kpiAnswerQuery, kpisQuery } from './kpis.queries.ts';
import { NewKpiDialog } from './new-kpi-dialog.tsx';

/** The KPIs of the workgroup with the last 7 days of an entity, a tab of Admin > Data. */
export function KpiList() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { data, error, refetch } = useQuery(kpisQuery(wg));
  const [chosen, setChosen] = useState<string | null>(null);
  const { entity, hasNone } = useEntityChoice(wg, chosen);
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
      {t('kpis.create')}
    </Button>
  );
  return (
    <>
      {error ? <ErrorState title={t('kpis.failed')} error={error} onRetry={() => void refetch()} /> : null}
      {data || error ? null : <Skeleton height={180} />}
      {data?.length === 0 ? (
        <EmptyState title={t('kpis.none')} text={t('kpis.noneText')}>
          {create}
        </EmptyState>
      ) : null}
      {data && data.length > 0 ? (
        <>
          <PageAction>{create}</PageAction>
          <Group mb="md" gap="sm">
            <EntitySelect wg={wg} value={entity} onChange={setChosen} />
            <span className={classes.note}>
              {hasNone ? t('kpis.noEntities') : <LastWeek wg={wg} kpis={data} entity={entity} />}
            </span>
          </Group>
          <div className={classes.grid}>
            {data.map((kpi) => (
              <KpiCard key={kpi._id} wg={wg} kpi={kpi} entity={entity} />
            ))}
          </div>
        </>
      ) : null}
      {isCreating ? <NewKpiDialog wg={wg} onClose={() => setCreating(false)} /> : null}
    </>
  );
}

/** Of when the figures are; whose midnights cut the days is known from the answers. */
function LastWeek({ wg, kpis, entity }: { wg: string; kpis: readonly Kpi[]; entity: string | null }) {
  const { t } = useTranslation();
  const question = useKpiQuestion(entity, 'week', false);
  const answers = useQueries({
    queries: kpis.map((kpi) => ({
      ...kpiAnswerQuery(wg, kpi, question as NonNullable<typeof question>),
      enabled: false,
    })),
  });
  const zone = answers.find(({ data }) => data)?.data?.zone;
  return zone ? t('kpis.lastWeekIn', { zone }) : t('kpis.lastWeek');
}

/** What the line shows, and its time range. */
function courseLabel(text: string, answer: KpiAnswer | undefined): string {
  if (!answer) return text;
  const { from, to, zone } = answer;
  return `${text}, ${rangeLabel({ kind: 'absolute', from, to }, zone)}`;
}

/** One KPI with its values over the last 7 days. */
function KpiCard({ wg, kpi, entity }: { wg: string; kpi: Kpi; entity: string | null }) {
  const { t } = useTranslation();
  const question = useKpiQuestion(entity, 'week', false);
  const { data, error, isPending } = useQuery({
    ...kpiAnswerQuery(wg, kpi, question as NonNullable<typeof question>),
    enabled: question !== null && Object.keys(kpi.values).length > 0,
  });
  const results = resultsOf(kpi, data);
  const isWaiting = isPending && question !== null && results.length > 0;
  return (
    <section className={classes.card} aria-label={kpi.name}>
      <h2 className={classes.cardTitle}>
        <Link to="/kpis/$kpiId" params={{ kpiId: kpi._id }}>
          {kpi.name}
        </Link>
      </h2>
      {results.length === 0 ? <p className={classes.note}>{t('kpis.noValues')}</p> : null}
      {error ? <p className={classes.note}>{error.message}</p> : null}
      {isWaiting ? <Skeleton height={72} /> : null}
      {error || isWaiting ? null : (
        <dl className={classes.values}>
          {results.map(({ name, result, title, isPrimary }) => {
            const { number, unit } = shownValue(result?.value, result?.units);
            const missing = result ? whyMissing(result) : null;
            return (
              <div key={name} className={isPrimary ? classes.primary : classes.value}>
                {isPrimary && title === kpi.name ? (
                  <VisuallyHidden component="dt">{title}</VisuallyHidden>
                ) : (
                  <dt>{title}</dt>
                )}
                <dd>
                  <span className={classes.number}>{number}</span> {unit}
                </dd>
                {isPrimary && missing ? <dd className={classes.note}>{t(`kpis.why.${missing}`)}</dd> : null}
                {isPrimary && result?.series ? (
                  <dd>
                    <Sparkline
                      values={result.series}
                      label={courseLabel(t('kpis.course', { name: title }), data)}
                      partial={partialIntervals(data?.starts ?? [], data?.computedAt ?? 0)}
                      width={140}
                      height={32}
                    />
                  </dd>
                ) : null}
              </div>
            );
          })}
        </dl>
      )}
    </section>
  );
}
