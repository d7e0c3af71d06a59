import type { Calculation } from '@albedo/contract/calculations/calculations.schema';
import { Anchor, Group, Modal, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { entitiesQuery } from '../../app/entity-query.ts';
import { Columns } from '../../app/figures/columns.tsx';
import { EntitySelect } from '../../app/figures/entity-select.tsx';
import { titleOf } from '../../app/figures/figures.ts';
import { Changes, Lineage } from '../../app/figures/lineage.tsx';
import { partialIntervals } from '../../app/figures/partial-intervals.ts';
import { useNow } from '../../app/now.ts';
import { usePermission } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { EmptyState, ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import classes from './calculations.module.css';
import { calculationsQuery, changesQuery, explanationQuery, valuesQuery } from './calculations.queries.ts';
import { rangeFor } from './ranges.ts';
import { stateText } from './state-text.ts';
import { amongOf } from './target-fields.tsx';

/** What a calculation has written; every number opens where it comes from. */
export function ResultsPage() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { calculationId } = useParams({ strict: false }) as { calculationId: string };
  const { data, error, refetch } = useQuery(calculationsQuery(wg));
  const mayChange = usePermission('coordinate');
  const found = data?.find(({ _id }) => _id === calculationId);
  const back = mayChange ? (
    <Group gap="md">
      <Anchor component={Link} to="/admin/data/calculations" size="sm">
        {t('calculations.title')}
      </Anchor>
      {found ? (
        <Link to="/admin/data/calculations/$calculation" params={{ calculation: calculationId }}>
          {t('calculations.change')}
        </Link>
      ) : null}
    </Group>
  ) : null;
  return (
    <Page title={found?.name ?? t('calculations.one')} context={back}>
      {error ? (
        <ErrorState title={t('calculations.failed')} error={error} onRetry={() => void refetch()} />
      ) : null}
      {data || error ? null : <Skeleton height={240} />}
      {data && !found ? <EmptyState title={t('calculations.gone')} /> : null}
      {found ? <Results key={found._id} wg={wg} calculation={found} /> : null}
    </Page>
  );
}

interface ResultsProps {
  wg: string;
  calculation: Calculation;
}

export function Results({ wg, calculation }: ResultsProps) {
  const { t } = useTranslation();
  const now = useNow(60_000);
  const { data: entities } = useQuery(entitiesQuery(wg));
  const among = useMemo(() => amongOf(calculation.target, entities ?? []), [calculation.target, entities]);
  const [chosen, setChosen] = useState<string | null>(null);
  const [opened, setOpened] = useState<number | null>(null);
  const entity = chosen ?? [...among][0] ?? null;
  const range = rangeFor(calculation.interval, now);
  const { data, error, refetch } = useQuery({
    ...valuesQuery(wg, calculation, { entity: entity ?? '', ...range }),
    enabled: entity !== null,
  });
  if (entity === null) return entities ? <EmptyState title={t('calculations.noTargets')} /> : null;
  return (
    <div className={classes.page}>
      <Group gap="md">
        <EntitySelect wg={wg} value={entity} onChange={setChosen} among={among} />
        <span className={classes.note}>{stateText(t, calculation, now)}</span>
      </Group>
      {error ? (
        <ErrorState title={t('calculations.valuesFailed')} error={error} onRetry={() => void refetch()} />
      ) : null}
      {data
        ? Object.entries(data.fields).map(([name, { units, values }]) => {
            const title = titleOf(name, { displayName: calculation.values[name]?.displayName ?? '' });
            return (
              <Section key={name} title={title} context={[units, data.zone].filter(Boolean).join(' · ')}>
                {values.every((one) => one === null) ? (
                  <p className={classes.note}>{t('calculations.nothingYet')}</p>
                ) : (
                  <Columns
                    title={title}
                    result={{ series: values, units }}
                    starts={data.starts}
                    partial={partialIntervals(data.starts, now)}
                    zone={data.zone}
                    hasTimes={/[mh]$/.test(calculation.interval)}
                    onOpen={setOpened}
                  />
                )}
              </Section>
            );
          })
        : null}
      {data ? <ChangeList wg={wg} calculation={calculation} zone={data.zone} fields={data.fields} /> : null}
      {opened !== null && data ? (
        <Modal
          opened
          size="xl"
          title={formatInstant(opened, data.zone, false)}
          onClose={() => setOpened(null)}
        >
          <Explanation wg={wg} calculation={calculation} entity={entity} at={opened} />
        </Modal>
      ) : null}
    </div>
  );
}

/** Where the numbers of one interval come from. */
function Explanation({ wg, calculation, entity, at }: ResultsProps & { entity: string; at: number }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(explanationQuery(wg, calculation, entity, at));
  if (error)
    return <ErrorState title={t('calculations.valuesFailed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <TableSkeleton rows={5} />;
  return <Lineage wg={wg} kpi={calculation} answer={data.answer} changes={data.changes} />;
}

/** What late data, facts and definitions changed. */
function ChangeList({
  wg,
  calculation,
  zone,
  fields,
}: ResultsProps & { zone: string; fields: Readonly<Record<string, { units: string }>> }) {
  const { t } = useTranslation();
  const { data: entities } = useQuery(entitiesQuery(wg));
  const { data } = useQuery(changesQuery(wg, calculation));
  if (!data || data.length === 0) return null;
  const names = new Map(entities?.map(({ _id, name }) => [_id, name]));
  const units = Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, one.units]));
  return (
    <Section title={t('calculations.changes')} context={t('calculations.changesHelp')} isFlush>
      <Changes
        kpi={calculation}
        changes={data}
        zone={zone}
        units={units}
        nameOf={(id) => names.get(id) ?? id}
      />
    </Section>
  );
}
