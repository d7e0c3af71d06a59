import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { formatWhole } from '../../ui/units/numbers.ts';
import classes from './installation.module.css';
import { installationQuery } from './installation.queries.ts';

/** Which installation this is, where its data lies, and what a workgroup may have at most. */
export function InstallationSection() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(installationQuery);
  return (
    <Section title={t('installation.title')}>
      {error ? (
        <ErrorState title={t('installation.failed')} error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={104} />
      ) : (
        <>
          <dl className={classes.facts}>
            <dt>{t('installation.version')}</dt>
            <dd>{`${data.product} ${data.version}`}</dd>
            <dt>{t('installation.region')}</dt>
            <dd>{data.region ?? t('installation.unsaid')}</dd>
            <dt>{t('installation.address')}</dt>
            <dd>{data.url}</dd>
          </dl>
          <details className={classes.limits}>
            <summary>{t('installation.limits')}</summary>
            <dl className={classes.facts}>
              {Object.entries(data.limits).map(([name, most]) => (
                <div key={name} className={classes.limit}>
                  <dt>{t(`installation.most.${name}`)}</dt>
                  <dd>{t('installation.atMost', { number: formatWhole(most) })}</dd>
                </div>
              ))}
            </dl>
          </details>
        </>
      )}
    </Section>
  );
}
