import type { Device } from '@albedo/contract/devices/devices.schema';
import { Button, Table } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { usePermission } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import { EmptyState, ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { StatusDot } from '../../ui/status/status-dot.tsx';
import classes from './discovery.module.css';
import { fetchOpenServices, networkQuery } from './discovery.queries.ts';
import { PlainTable } from './plain-table.tsx';

/** What the device knows of its own network, read now. */
export function NetworkTab({ device }: { device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const { online } = device.facts;
  const { data, error, refetch } = useQuery({ ...networkQuery(wg, device.id), enabled: online });
  if (!data && !online) {
    return (
      <Section title={t('discovery.network')}>
        <EmptyState title={t('discovery.offline')} text={t('discovery.offlineText')} />
      </Section>
    );
  }
  if (error) return <ErrorState title={t('discovery.failed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <TableSkeleton rows={8} />;
  return (
    <div className={classes.stack}>
      <Section title={t('discovery.interfaces')} context={data.hostname} isFlush>
        <PlainTable heads={['name', 'state', 'addresses', 'mac']}>
          {data.interfaces.map((one) => (
            <Table.Tr key={one.name}>
              <Table.Td fw={600}>{one.name}</Table.Td>
              <Table.Td>
                <StatusDot
                  isOnline={one.isUp}
                  label={t(one.isUp ? 'discovery.up' : 'discovery.down')}
                  isOptional
                />
              </Table.Td>
              <Table.Td>
                {one.addresses.map(({ address, prefix }) => (
                  <div key={address}>{`${address}/${prefix}`}</div>
                ))}
              </Table.Td>
              <Table.Td className={`${classes.code} ${classes.mac}`}>{one.mac}</Table.Td>
            </Table.Tr>
          ))}
        </PlainTable>
      </Section>
      <Section title={t('discovery.ways')}>
        <dl className={classes.facts}>
          <div>
            <dt>{t('discovery.gateway')}</dt>
            <dd>{data.gateway ?? t('discovery.none')}</dd>
          </div>
          <div>
            <dt>{t('discovery.nameServers')}</dt>
            <dd>{data.nameServers.join(', ') || t('discovery.none')}</dd>
          </div>
          <div>
            <dt>{t('discovery.known')}</dt>
            <dd>
              {data.neighbours.length === 0 ? t('discovery.none') : null}
              {data.neighbours.map(({ ip, mac }) => (
                <p key={`${ip} ${mac}`} className={classes.neighbour}>
                  {ip} <span className={classes.code}>{mac}</span>
                </p>
              ))}
            </dd>
          </div>
        </dl>
      </Section>
      <OpenServices device={device} />
    </div>
  );
}

/** Ports of the device itself; looking is discovery, and in the audit log. */
function OpenServices({ device }: { device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const mayDiscover = usePermission('discovery');
  const { data, error, isPending, isIdle, mutate } = useMutation({
    mutationFn: () => fetchOpenServices(wg, device.id),
  });
  if (!mayDiscover) return null;
  return (
    <Section
      title={t('discovery.services')}
      isFlush={Boolean(data)}
      actions={
        <Button size="xs" variant="default" loading={isPending && !isIdle} onClick={() => mutate()}>
          {t('discovery.look')}
        </Button>
      }
    >
      {error ? <ErrorState title={t('discovery.failed')} error={error} onRetry={() => mutate()} /> : null}
      {data ? (
        <PlainTable heads={['port', 'protocol', 'address', 'program']}>
          {data.map((one) => (
            <Table.Tr key={`${one.protocol} ${one.address} ${one.port}`}>
              <Table.Td fw={600}>{one.port}</Table.Td>
              <Table.Td>{one.protocol.toUpperCase()}</Table.Td>
              <Table.Td>{one.address}</Table.Td>
              <Table.Td>{one.process ?? ''}</Table.Td>
            </Table.Tr>
          ))}
        </PlainTable>
      ) : (
        <p className={classes.hint}>{t('discovery.servicesText')}</p>
      )}
    </Section>
  );
}
