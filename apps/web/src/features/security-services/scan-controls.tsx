import type { SecurityTask } from '@albedo/contract/security-services/security-services.schema';
import { ActionIcon, Switch, Tooltip } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyDone, notifyFailure } from '../../app/notify.ts';
import { isBusy, stateText } from './scan-texts.ts';
import { runScans, type ScanRow, setEnabled } from './security-services.queries.ts';

interface ControlProps {
  wg: string;
  task: SecurityTask;
  row: ScanRow;
}

/** Scans one device now. */
export function Play({ wg, task, row }: ControlProps) {
  const { t } = useTranslation();
  const busy = isBusy(row);
  const label = busy ? stateText(t, row) : t('securityServices.runOne', { name: row.name });
  const run = async (event: MouseEvent) => {
    event.stopPropagation();
    await startScan(t, wg, task, row);
  };
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('securityServices.runOne', { name: row.name })}
        disabled={busy}
        onClick={(event) => void run(event)}
      >
        <IconPlayerPlay size={16} />
      </ActionIcon>
    </Tooltip>
  );
}

/** Puts the scan of one device at the end of the queue, and says what came of it. */
export async function startScan(t: TFunction, wg: string, task: SecurityTask, row: ScanRow): Promise<void> {
  try {
    await runScans(wg, task, [row._id]);
    notifyDone(t('securityServices.scheduledOf', { name: row.name }));
  } catch (error) {
    notifyFailure(t('securityServices.notScheduled'), error);
  }
}

interface WeeklyProps extends ControlProps {
  /** The words stand beside the switch. */
  hasLabel?: boolean;
}

/** Whether the device is scanned every week. */
export function Weekly({ wg, task, row, hasLabel = false }: WeeklyProps) {
  const { t } = useTranslation();
  const change = async (enabled: boolean) => {
    try {
      await setEnabled(wg, task, [row._id], enabled);
    } catch (error) {
      notifyFailure(t('securityServices.notSwitched'), error);
    }
  };
  return (
    <Switch
      size="sm"
      checked={row.job?.enabled ?? false}
      {...(hasLabel
        ? { label: t('securityServices.everySaturday') }
        : { 'aria-label': t('securityServices.weeklyOf', { name: row.name }) })}
      onClick={(event) => event.stopPropagation()}
      onChange={(event) => void change(event.currentTarget.checked)}
    />
  );
}
