import type { DeviceSetpoint, ScheduleVersion } from '@albedo/contract/schedules/schedules.schema';
import { Checkbox, Skeleton, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import { useSearchChange } from '../../ui/data-table/use-table-address.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { NO_VALUE } from '../../ui/units/numbers.ts';
import { WideTable } from '../../ui/wide-table.tsx';
import { nameText } from './holding-text.ts';
import classes from './schedules.module.css';
import { versionsQuery } from './schedules.queries.ts';
import { VersionComparison } from './version-comparison.tsx';

interface VersionsSectionProps {
  device: string;
  setpoint: DeviceSetpoint;
  zone: string;
}

/** Everything that was ever sent to a setpoint; two of it are compared. Which two stands in the address. */
export function VersionsSection({ device, setpoint, zone }: VersionsSectionProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const search = useSearch({ strict: false }) as { versions?: unknown };
  const changeSearch = useSearchChange();
  const { data, error, refetch } = useQuery(versionsQuery(wg, device, setpoint.path));
  const ticked = String(search.versions ?? '')
    .split(',')
    .filter((one) => one !== '')
    .map(Number);
  const tick = (version: number) => {
    const next = ticked.includes(version)
      ? ticked.filter((one) => one !== version)
      : [...ticked, version].slice(-2);
    changeSearch({ versions: next.length > 0 ? next.join(',') : undefined }, { isStep: false });
  };
  const chosen = (data ?? [])
    .filter(({ version }) => ticked.includes(version))
    .sort((a, b) => a.version - b.version);
  const [older, newer] = chosen;
  return (
    <Section
      title={t('schedules.versions.title')}
      context={t(data && data.length > 1 ? 'schedules.versions.pick' : 'schedules.versions.context')}
      isFlush={data === undefined || data.length > 0}
    >
      {error && !data ? (
        <ErrorState title={t('schedules.versions.failed')} error={error} onRetry={() => void refetch()} />
      ) : null}
      {!data && !error ? <Skeleton height={96} m="md" /> : null}
      {older && newer ? (
        <VersionComparison older={older} newer={newer} kind={setpoint.kind} zone={zone} />
      ) : null}
      {data?.length === 0 ? <p className={classes.hint}>{t('schedules.versions.none')}</p> : null}
      {data && data.length > 0 ? (
        <WideTable label={t('schedules.versions.title')} leastPx={760}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th aria-label={t('schedules.versions.compare')} />
              {(['version', 'name', 'author', 'approver', 'outcome', 'sent'] as const).map((head) => (
                <Table.Th key={head}>{t(`schedules.versions.${head}`)}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.map((one) => (
              <Row
                key={one.version}
                version={one}
                zone={zone}
                isTicked={ticked.includes(one.version)}
                onTick={() => tick(one.version)}
              />
            ))}
          </Table.Tbody>
        </WideTable>
      ) : null}
    </Section>
  );
}

interface RowProps {
  version: ScheduleVersion;
  zone: string;
  isTicked: boolean;
  onTick: () => void;
}

function Row({ version: one, zone, isTicked, onTick }: RowProps) {
  const { t } = useTranslation();
  return (
    <Table.Tr>
      <Table.Td>
        <Checkbox
          size="xs"
          aria-label={t('schedules.versions.compareOne', { version: one.version })}
          checked={isTicked}
          onChange={onTick}
        />
      </Table.Td>
      <Table.Td className="tabular">{one.version}</Table.Td>
      <Table.Td>
        {one.origin === 'schedule' ? one.name : t(`schedules.versions.origins.${one.origin}`)}
        {one.origin === 'override' ? `: ${nameText(t, one)}` : null}
        {one.reason ? <div className={classes.why}>{one.reason}</div> : null}
      </Table.Td>
      <Table.Td>{one.author ?? NO_VALUE}</Table.Td>
      <Table.Td>{one.approver ?? NO_VALUE}</Table.Td>
      <Table.Td>
        <span className={classes.outcome} data-outcome={one.outcome}>
          {t(`schedules.outcomes.${one.outcome}`)}
        </span>
        {one.why ? <div className={classes.why}>{one.why}</div> : null}
      </Table.Td>
      <Table.Td className="tabular">
        {formatInstant(one.sentAt, zone, false)}
        {one.endedAt === null ? null : (
          <div className={classes.why}>
            {t('schedules.versions.ended', { at: formatInstant(one.endedAt, zone, false) })}
          </div>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
