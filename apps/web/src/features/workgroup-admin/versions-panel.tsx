import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { formatDuration } from '../../ui/units/durations.ts';
import classes from './workgroup-admin.module.css';
import { versionsQuery } from './workgroup-admin.queries.ts';

/** The version of everything that runs, for the staff. */
export function VersionsPanel() {
  const { t } = useTranslation();
  const now = useNow(60_000);
  const { data, error, refetch } = useQuery(versionsQuery);
  if (error && !data)
    return (
      <ErrorState title={t('workgroupAdmin.versionsFailed')} error={error} onRetry={() => void refetch()} />
    );
  if (!data) return <TableSkeleton rows={8} />;
  const facts: [string, string][] = [
    [t('workgroupAdmin.cloud'), data.cloud],
    [t('workgroupAdmin.web'), data.web],
    ['Node.js', data.node],
    ...data.engines.map(({ name, version }): [string, string] => [name, version]),
    [t('workgroupAdmin.roles'), data.roles.join(', ')],
    [t('workgroupAdmin.uptime'), formatDuration(now - data.startedAt)],
  ];
  return (
    <div className={classes.versions}>
      <Section title={t('workgroupAdmin.server')}>
        <dl className={classes.facts}>
          {facts.map(([name, value]) => (
            <div key={name} className={classes.fact}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section title={t('workgroupAdmin.agents')}>
        {data.agents.length === 0 ? (
          <p className={classes.note}>{t('workgroupAdmin.noAgents')}</p>
        ) : (
          <dl className={classes.facts}>
            {data.agents.map(({ version, devices, online }) => (
              <div key={version} className={classes.fact}>
                <dt>{version === 'unknown' ? t('workgroupAdmin.unknown') : version}</dt>
                <dd>{t('workgroupAdmin.agentsCount', { devices, online })}</dd>
              </div>
            ))}
          </dl>
        )}
      </Section>
    </div>
  );
}
