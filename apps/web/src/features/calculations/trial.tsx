import type { NewCalculation } from '@albedo/contract/calculations/calculations.schema';
import type { KpiAnswer } from '@albedo/contract/kpis/kpis.schema';

import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { entitiesQuery } from '../../app/entity-query.ts';
import { Columns } from '../../app/figures/columns.tsx';
import { EntitySelect } from '../../app/figures/entity-select.tsx';
import { titleOf } from '../../app/figures/figures.ts';
import { Lineage } from '../../app/figures/lineage.tsx';
import { Section } from '../../ui/section.tsx';
import { ChartSkeleton } from '../../ui/skeletons.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import classes from './calculations.module.css';
import { previewQuery } from './calculations.queries.ts';
import { rangeFor } from './ranges.ts';
import { amongOf } from './target-fields.tsx';

interface TrialProps {
  wg: string;
  calculation: NewCalculation;
}

/** What a definition would have written in the past days, before it is saved. */
export function Trial({ wg, calculation }: TrialProps) {
  const { t } = useTranslation();
  const { data: entities = [] } = useQuery(entitiesQuery(wg));
  const among = useMemo(() => amongOf(calculation.target, entities), [calculation.target, entities]);
  const [chosen, setChosen] = useState<string | null>(null);
  const entity = chosen !== null && among.has(chosen) ? chosen : ([...among][0] ?? null);
  const [range] = useState(() => rangeFor(calculation.interval, Date.now()));
  const { data, error, isPending, refetch } = useQuery({
    ...previewQuery(wg, calculation, { entity: entity ?? '', ...range }),
    enabled: entity !== null,
  });
  if (entity === null) return <EmptyState title={t('calculations.noTargets')} />;
  return (
    <div className={classes.page}>
      <Section title={t('calculations.trial')} context={t('calculations.trialHelp')}>
        <EntitySelect wg={wg} value={entity} onChange={setChosen} among={among} />
        {error ? (
          <ErrorState title={t('calculations.trialFailed')} error={error} onRetry={() => void refetch()} />
        ) : null}
        {isPending ? <ChartSkeleton height={160} /> : null}
        {data ? <TrialColumns calculation={calculation} answer={data} /> : null}
      </Section>
      {data ? <Lineage wg={wg} kpi={calculation} answer={data} /> : null}
    </div>
  );
}

function TrialColumns({ calculation, answer }: { calculation: NewCalculation; answer: KpiAnswer }) {
  const written = Object.entries(calculation.values).filter(([, { kind }]) => kind === 'formula');
  return written.map(([name, value]) => {
    const result = answer.values[name];
    if (!result || !answer.starts) return null;
    const title = titleOf(name, value);
    return (
      <div key={name} className={classes.course}>
        <h3 className={classes.courseTitle}>
          {title} {result.units ? <span className={classes.note}>{result.units}</span> : null}
        </h3>
        <Columns
          title={title}
          result={result}
          starts={answer.starts}
          zone={answer.zone}
          hasTimes={/[mh]$/.test(calculation.interval)}
        />
      </div>
    );
  });
}
