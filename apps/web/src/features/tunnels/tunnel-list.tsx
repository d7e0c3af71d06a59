import type { Device } from '@albedo/contract/devices/devices.schema';
import { Button, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { agoText } from '../../ui/units/durations.ts';
import { formatWhole } from '../../ui/units/numbers.ts';
import { formatBytes } from '../../ui/units/units.ts';
import { WideTable } from '../../ui/wide-table.tsx';
import classes from './tunnels.module.css';
import { closeTunnel, tunnelsQuery } from './tunnels.queries.ts';

interface TunnelListProps {
  device: Device;
  onClosed: (id: string) => void;
}

/** The tunnels of a device, open ones first to be closed, with what ran through them. */
export function TunnelList({ device, onClosed }: TunnelListProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const now = useNow(10_000);
  const { data, error, refetch } = useQuery(tunnelsQuery(wg, device.id));
  const { attempt, isWorking, failure } = useAttempt();
  if (error) return <ErrorState title={t('tunnels.failed')} error={error} onRetry={() => void refetch()} />;
  if (!data || data.length === 0) return null;
  const handleClose = (id: string) =>
    attempt(async () => {
      await closeTunnel(wg, device.id, id);
      onClosed(id);
    });
  return (
    <Section title={t('tunnels.list')} isFlush>
      <Failure text={failure} />
      <WideTable label={t('tunnels.list')} leastPx={860}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('tunnels.columns.when')}</Table.Th>
            <Table.Th>{t('tunnels.columns.by')}</Table.Th>
            <Table.Th>{t('tunnels.columns.target')}</Table.Th>
            <Table.Th className={classes.number}>{t('tunnels.columns.connections')}</Table.Th>
            <Table.Th className={classes.number}>{t('tunnels.columns.carried')}</Table.Th>
            <Table.Th>{t('tunnels.columns.end')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.map((one) => (
            <Table.Tr key={one.id}>
              <Table.Td title={formatInstant(one.openedAt, userZone())} className={classes.whole}>
                {agoText(one.openedAt, now)}
              </Table.Td>
              <Table.Td>{one.by}</Table.Td>
              <Table.Td>
                <code>{`${one.kind === 'tcp' ? '' : `${one.kind}://`}${one.host}:${one.port}`}</code>
              </Table.Td>
              <Table.Td className={classes.number}>{formatWhole(one.connections)}</Table.Td>
              <Table.Td className={classes.number}>{formatBytes(one.bytesDown + one.bytesUp)}</Table.Td>
              <Table.Td>
                {one.end === null ? (
                  <Button
                    size="compact-xs"
                    variant="default"
                    disabled={isWorking}
                    onClick={() => void handleClose(one.id)}
                  >
                    {t('tunnels.close')}
                  </Button>
                ) : (
                  t(`tunnels.ends.${one.end}`)
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
    </Section>
  );
}
