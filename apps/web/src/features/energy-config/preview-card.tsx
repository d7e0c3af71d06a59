import type { EnergyConfigName } from '@albedo/contract/energy/energy.names';
import type { EnergyConfigPreview } from '@albedo/contract/energy/energy.schema';
import { ENERGY_CONFIG_SCHEMAS, type EnergyConfigs } from '@albedo/contract/energy/energy-config.schema';
import { Table } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../ui/section.tsx';
import { ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { formatDay } from '../../ui/time-range/zoned-time.ts';
import { NO_VALUE } from '../../ui/units/numbers.ts';
import { formatValue } from '../../ui/units/units.ts';
import { WideTable } from '../../ui/wide-table.tsx';
import classes from './energy-config.module.css';
import { previewQuery } from './energy-config.queries.ts';

/** So long after the last change yesterday is computed again, ms. */
const AFTER_MS = 700;
/** Rows that are shown; the rest is counted. */
const MOST = 30;
/** Figures of these are energies; those of the others are parts of 1. */
const OF_ENERGY: readonly EnergyConfigName[] = [
  'daily-energy-config',
  'meter-data-config',
  'mppt-extract-config',
];

interface PreviewCardProps<Name extends EnergyConfigName> {
  wg: string;
  name: Name;
  value: EnergyConfigs[Name];
}

/** What yesterday would be with what stands in the fields, and which devices lack something. */
export function PreviewCard<Name extends EnergyConfigName>({ wg, name, value }: PreviewCardProps<Name>) {
  const { t } = useTranslation();
  const [settled] = useDebouncedValue(value, AFTER_MS);
  const isValid = useMemo(() => ENERGY_CONFIG_SCHEMAS[name].safeParse(settled).success, [name, settled]);
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...previewQuery(wg, name, settled),
    enabled: isValid,
  });
  return (
    <Section
      title={t('energyConfig.preview')}
      context={data ? formatDay(Date.parse(data.day), 'UTC') : t('energyConfig.previewText')}
    >
      {error && !data ? (
        <ErrorState title={t('energyConfig.previewFailed')} error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <TableSkeleton rows={4} />
      ) : (
        <div className={classes.preview} data-is-stale={isPlaceholderData || settled !== value}>
          <Lacking lacking={data.lacking} />
          <Rows rows={data.rows} units={OF_ENERGY.includes(name) ? 'kWh' : '%'} />
        </div>
      )}
    </Section>
  );
}

function Lacking({ lacking }: Pick<EnergyConfigPreview, 'lacking'>) {
  const { t } = useTranslation();
  if (lacking.length === 0) return <p className={classes.note}>{t('energyConfig.nothingLacks')}</p>;
  return (
    <div>
      <h3 className={classes.subtitle}>{t('energyConfig.lacking', { count: lacking.length })}</h3>
      <ul className={classes.lacking}>
        {lacking.slice(0, MOST).map(({ deviceId, device, roles }) => (
          <li key={deviceId}>
            <b>{device}</b>{' '}
            {roles.map((role) => t(`energyConfig.roleNames.${role}`, { defaultValue: role })).join(', ')}
          </li>
        ))}
        {lacking.length > MOST ? <li>{t('energyConfig.more', { count: lacking.length - MOST })}</li> : null}
      </ul>
    </div>
  );
}

function Rows({ rows, units }: { rows: EnergyConfigPreview['rows']; units: 'kWh' | '%' }) {
  const { t } = useTranslation();
  if (rows.length === 0) return <p className={classes.note}>{t('energyConfig.noRows')}</p>;
  const text = (value: number | null) =>
    formatValue(value === null || units === 'kWh' ? value : value * 100, units);
  const hasExpected = rows.some(({ expected }) => expected !== null);
  const hasMethod = rows.some(({ method }) => method !== null);
  return (
    <>
      <WideTable label={t('energyConfig.preview')} leastPx={560}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('energyConfig.device')}</Table.Th>
            <Table.Th>{t('energyConfig.source')}</Table.Th>
            {hasMethod ? <Table.Th>{t('energy.method')}</Table.Th> : null}
            <Table.Th className={classes.number}>{t('energyConfig.yesterday')}</Table.Th>
            {hasExpected ? (
              <Table.Th className={classes.number}>{t('energy.columns.expected')}</Table.Th>
            ) : null}
            <Table.Th className={classes.number}>{t('energy.coverage')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows
            .slice(0, MOST)
            .map(({ deviceId, device, table, source, method, value, expected, coverage, reason }) => (
              <Table.Tr key={`${deviceId} ${table} ${source}`}>
                <Table.Td>{device}</Table.Td>
                <Table.Td>{source ?? NO_VALUE}</Table.Td>
                {hasMethod ? <Table.Td>{method ? t(`energy.methods.${method}`) : NO_VALUE}</Table.Td> : null}
                <Table.Td className={classes.number}>
                  {text(value)}
                  {reason ? <span className={classes.why}>{t(`energy.reasons.${reason}`)}</span> : null}
                </Table.Td>
                {hasExpected ? (
                  <Table.Td className={classes.number}>{formatValue(expected, 'kWh')}</Table.Td>
                ) : null}
                <Table.Td className={classes.number}>
                  {formatValue(coverage === null ? null : coverage * 100, '%')}
                </Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </WideTable>
      {rows.length > MOST ? (
        <p className={classes.note}>{t('energyConfig.more', { count: rows.length - MOST })}</p>
      ) : null}
    </>
  );
}
