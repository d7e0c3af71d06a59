import type { BackupPlan, DeviceBackup } from '@albedo/contract/device-backups/device-backups.schema';
import type { Device } from '@albedo/contract/devices/devices.schema';
import { Button, Group, Select, Table, Text } from '@mantine/core';
import { IconArchive } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { notifyDone } from '../../app/notify.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useAttempt } from '../../app/use-submit.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/section.tsx';
import { EmptyState, ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { formatWhole } from '../../ui/units/numbers.ts';
import { formatBytes } from '../../ui/units/units.ts';
import { WideTable } from '../../ui/wide-table.tsx';
import classes from './device-backups.module.css';
import {
  backupsQuery,
  fetchBackup,
  makeBackup,
  removeBackup,
  restoreBackup,
  setPlan,
} from './device-backups.queries.ts';

const PLANS = ['never', 'day', 'week'] as const satisfies readonly BackupPlan['every'][];

/** Backups of the device, or of one that it replaces: made, fetched, and put back on this one. */
export function BackupsTab({ device }: { device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const at = { wg, device: device.id };
  const [of, setOf] = useState(device.id);
  const [asking, setAsking] = useState<{ what: 'restore' | 'remove'; backup: DeviceBackup } | null>(null);
  const { data, error, refetch } = useQuery(backupsQuery(at, of));
  const { data: own } = useQuery(backupsQuery(at, device.id));
  const { attempt, isWorking, failure } = useAttempt();
  const isOffline = !device.facts.online;
  const others = (own?.devices ?? []).filter(({ id }) => id !== device.id);

  const handleMake = () =>
    attempt(async () => {
      await makeBackup(at);
      notifyDone(t('deviceBackups.made'));
    });
  const handlePlan = (every: string | null) => {
    const wanted = PLANS.find((one) => one === every);
    if (!wanted) return;
    void attempt(async () => {
      await setPlan(at, { every: wanted });
      notifyDone(t('deviceBackups.planned'));
    });
  };
  const handleGet = (backup: DeviceBackup) => {
    const name = `${backup.deviceName.replace(/[^\w.-]+/g, '-')}.json.gz`;
    void attempt(() => fetchBackup({ wg, device: backup.deviceId }, backup.id, name));
  };

  return (
    <div className={classes.stack}>
      <Section
        title={t('deviceBackups.title')}
        actions={
          <Button
            size="xs"
            leftSection={<IconArchive size={14} />}
            loading={isWorking}
            disabled={isOffline}
            onClick={() => void handleMake()}
          >
            {t('deviceBackups.make')}
          </Button>
        }
      >
        <Text size="sm" maw={720}>
          {t('deviceBackups.intro')}
        </Text>
        <Failure text={failure} />
        <Group mt="sm" align="flex-end">
          <Select
            label={t('deviceBackups.plan')}
            data={PLANS.map((value) => ({ value, label: t(`deviceBackups.every.${value}`) }))}
            value={own?.plan.every ?? null}
            allowDeselect={false}
            disabled={!own || isWorking}
            onChange={handlePlan}
          />
          <Select
            label={t('deviceBackups.from')}
            data={[
              { value: device.id, label: device.name },
              ...others.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            value={of}
            searchable
            allowDeselect={false}
            onChange={(id) => setOf(id ?? device.id)}
          />
        </Group>
      </Section>
      {error ? (
        <ErrorState title={t('deviceBackups.failed')} error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <BackupTable
          backups={data.backups}
          isOffline={isOffline}
          isWorking={isWorking}
          onGet={handleGet}
          onAsk={(what, backup) => setAsking({ what, backup })}
        />
      ) : (
        <TableSkeleton rows={4} />
      )}
      {asking ? <AskFirst device={device} {...asking} onClose={() => setAsking(null)} /> : null}
    </div>
  );
}

interface BackupTableProps {
  backups: readonly DeviceBackup[];
  isOffline: boolean;
  isWorking: boolean;
  onGet: (backup: DeviceBackup) => void;
  onAsk: (what: 'restore' | 'remove', backup: DeviceBackup) => void;
}

function BackupTable({ backups, isOffline, isWorking, onGet, onAsk }: BackupTableProps) {
  const { t } = useTranslation();
  if (backups.length === 0) {
    return (
      <Section title={t('deviceBackups.list')}>
        <EmptyState title={t('deviceBackups.empty')} text={t('deviceBackups.emptyText')} />
      </Section>
    );
  }
  return (
    <Section title={t('deviceBackups.list')} isFlush>
      <WideTable label={t('deviceBackups.list')} leastPx={620}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('deviceBackups.columns.when')}</Table.Th>
            <Table.Th>{t('deviceBackups.columns.why')}</Table.Th>
            <Table.Th className={classes.number}>{t('deviceBackups.columns.files')}</Table.Th>
            <Table.Th className={classes.number}>{t('deviceBackups.columns.size')}</Table.Th>
            <Table.Th />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {backups.map((backup) => (
            <Table.Tr key={backup.id}>
              <Table.Td>{formatInstant(backup.at, userZone())}</Table.Td>
              <Table.Td>{t(`deviceBackups.reasons.${backup.reason}`, { by: backup.by })}</Table.Td>
              <Table.Td className={classes.number}>{formatWhole(backup.files)}</Table.Td>
              <Table.Td className={classes.number}>{formatBytes(backup.bytes)}</Table.Td>
              <Table.Td className={classes.actions}>
                <Button size="compact-xs" variant="subtle" disabled={isWorking} onClick={() => onGet(backup)}>
                  {t('deviceBackups.get')}
                </Button>
                <Button
                  size="compact-xs"
                  variant="subtle"
                  disabled={isWorking || isOffline}
                  onClick={() => onAsk('restore', backup)}
                >
                  {t('deviceBackups.restore')}
                </Button>
                <Button
                  size="compact-xs"
                  variant="subtle"
                  c="var(--al-danger)"
                  disabled={isWorking}
                  onClick={() => onAsk('remove', backup)}
                >
                  {t('deviceBackups.remove')}
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
    </Section>
  );
}

interface AskFirstProps {
  device: Device;
  what: 'restore' | 'remove';
  backup: DeviceBackup;
  onClose: () => void;
}

function AskFirst({ device, what, backup, onClose }: AskFirstProps) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const at = formatInstant(backup.at, userZone());
  const handleConfirm = async () => {
    if (what === 'remove') {
      await removeBackup({ wg, device: backup.deviceId }, backup.id);
      notifyDone(t('deviceBackups.removed'));
    } else {
      const { files, commands, plugins } = await restoreBackup({ wg, device: device.id }, backup.id);
      const restored = t('deviceBackups.restored', { files, commands });
      const names = plugins.map(({ name, version }) => `${name} ${version}`).join(', ');
      notifyDone(
        names === '' ? restored : `${restored} ${t('deviceBackups.installing', { plugins: names })}`,
      );
    }
  };
  return (
    <ConfirmDialog confirm={t(`deviceBackups.${what}`)} onConfirm={handleConfirm} onClose={onClose}>
      {what === 'remove'
        ? t('deviceBackups.removeText', { at })
        : t('deviceBackups.restoreText', { at, device: device.name })}
    </ConfirmDialog>
  );
}
