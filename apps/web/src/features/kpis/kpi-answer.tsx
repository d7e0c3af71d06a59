import type { Kpi, KpiAnswer } from '@albedo/contract/kpis/kpis.schema';
import { useTranslation } from 'react-i18next';
import { Columns } from '../../app/figures/columns.tsx';
import { resultsOf, whyMissing } from '../../app/figures/figures.ts';
import { Lineage } from '../../app/figures/lineage.tsx';
import { partialIntervals } from '../../app/figures/partial-intervals.ts';
import { Section } from '../../ui/section.tsx';
import { formatValue, shownValue } from '../../ui/units/units.ts';
import classes from './kpis.module.css';

interface KpiAnswerProps {
  wg: string;
  kpi: Pick<Kpi, 'values'>;
  answer: KpiAnswer;
  /** The definition is not saved. */
  isTried: boolean;
}

/** The values of a KPI, the course of the primary one, and what each comes from. */
export function KpiAnswerView({ wg, kpi, answer, isTried }: KpiAnswerProps) {
  const { t } = useTranslation();
  const results = resultsOf(kpi, answer).flatMap((one) =>
    one.result ? [{ ...one, result: one.result }] : [],
  );
  const [primary] = results;
  if (!primary) return <p className={classes.note}>{t('kpis.noValues')}</p>;
  const at = { zone: answer.zone, version: answer.version };
  return (
    <div className={classes.answer}>
      <div className={classes.figures}>
        {results.map(({ name, result, title, isPrimary }) => {
          const { number, unit } = shownValue(result.value, result.units);
          const why = whyMissing(result);
          return (
            <div key={name} className={isPrimary ? classes.primaryFigure : classes.figure}>
              <div className={classes.note}>{title}</div>
              <div>
                <span className={classes.number}>{number}</span> {unit}
              </div>
              {why && !result.missing ? <div className={classes.note}>{t(`kpis.why.${why}`)}</div> : null}
              {result.missing ? (
                <div className={classes.note}>
                  {t(`kpis.missing.${result.missing.part}`, { name: result.missing.name })}
                </div>
              ) : null}
              {result.coverage === null ? null : (
                <div className={classes.note}>
                  {t('kpis.coverage', { share: formatValue(result.coverage * 100, '%') })}
                </div>
              )}
            </div>
          );
        })}
      </div>
      {primary.result.series && answer.starts ? (
        <Section title={primary.title} context={isTried ? t('kpis.tried') : t('kpis.computed', at)}>
          <Columns
            title={primary.title}
            result={primary.result}
            starts={answer.starts}
            zone={answer.zone}
            partial={partialIntervals(answer.starts, answer.computedAt)}
          />
        </Section>
      ) : null}
      <Lineage wg={wg} kpi={kpi} answer={answer} />
    </div>
  );
}
