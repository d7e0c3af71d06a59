import type { Device } from '@albedo/contract/devices/devices.schema';
import type { ShellRecording, ShellSession } from '@albedo/contract/shells/shells.schema';
import { Button, Table } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { agoText, formatDuration } from '../../ui/units/durations.ts';
import { WideTable } from '../../ui/wide-table.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import classes from './shells.module.css';
import { fetchRecording, shellsQuery } from './shells.queries.ts';

/** The remote shells of a device, each to be played again. */
export function ShellList({ device }: { device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const now = useNow(10_000);
  const { data } = useQuery(shellsQuery(wg, device.id));
  const [shown, setShown] = useState<ShellRecording | null>(null);
  const { attempt, isWorking, failure } = useAttempt();
  if (!data || data.length === 0) return null;
  const handlePlay = ({ id }: ShellSession) =>
    attempt(async () => setShown(await fetchRecording(wg, device.id, id)));
  return (
    <Section title={t('shells.before')} isFlush>
      <Failure text={failure} />
      <WideTable label={t('shells.before')} leastPx={480}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('shells.columns.when')}</Table.Th>
            <Table.Th>{t('shells.columns.by')}</Table.Th>
            <Table.Th>{t('shells.columns.length')}</Table.Th>
            <Table.Th>{t('shells.columns.end')}</Table.Th>
            <Table.Th />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.map((one) => (
            <Table.Tr key={one.id}>
              <Table.Td>{agoText(one.openedAt, now)}</Table.Td>
              <Table.Td>{one.by}</Table.Td>
              <Table.Td>
                {one.startedAt !== null && one.endedAt !== null
                  ? formatDuration(one.endedAt - one.startedAt)
                  : ''}
              </Table.Td>
              <Table.Td>{one.end === null ? t('shells.running') : t(`shells.ends.${one.end}`)}</Table.Td>
              <Table.Td className={classes.right}>
                <Button
                  size="compact-xs"
                  variant="subtle"
                  leftSection={<IconPlayerPlay size={14} />}
                  disabled={isWorking || one.bytes === 0}
                  onClick={() => void handlePlay(one)}
                >
                  {t('shells.play')}
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
      {shown ? <ReplayDialog recording={shown} onClose={() => setShown(null)} /> : null}
    </Section>
  );
}
