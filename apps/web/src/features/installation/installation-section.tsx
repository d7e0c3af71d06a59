import { Skeleton, Spoiler } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { formatWhole } from '../../ui/units/numbers.ts';
import classes from './installation.module.css';
import { installationQuery } from './installation.queries.ts';

/** The height of the first lines, px. */
const FOLDED = 104;

/** Which installation this is, where its data lies, and what a workgroup may have at most. */
export function InstallationSection() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(installationQuery);
  return (
    <Section title={t('installation.title')}>
      {error ? (
        <ErrorState title={t('installation.failed')} error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={FOLDED} />
      ) : (
        <Spoiler maxHeight={FOLDED} showLabel={t('installation.limits')} hideLabel={t('installation.fewer')}>
          <dl className={classes.facts}>
            <dt>{t('installation.version')}</dt>
            <dd>{`${data.product} ${data.version}`}</dd>
            <dt>{t('installation.region')}</dt>
            <dd>{data.region ?? t('installation.unsaid')}</dd>
            <dt>{t('installation.address')}</dt>
            <dd>{data.url}</dd>
            {Object.entries(data.limits).map(([name, most]) => (
              <div key={name} className={classes.limit}>
                <dt>{t(`installation.most.${name}`)}</dt>
                <dd>{t('installation.atMost', { number: formatWhole(most) })}</dd>
              </div>
            ))}
          </dl>
        </Spoiler>
      )}
    </Section>
  );
}
