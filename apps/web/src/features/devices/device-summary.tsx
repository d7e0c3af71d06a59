import type { DeviceSummary as Device } from '@albedo/contract/devices/devices.schema';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { LevelIcon, type Mark } from '../../ui/status/level-icon.tsx';
import { formatWhole } from '../../ui/units/numbers.ts';
import { backfillShare, compactCount } from './backfill.tsx';
import { countFilters } from './device-filters.ts';
import { useDeviceRows } from './device-rows.ts';
import classes from './devices.module.css';

/** One line that says how the fleet is; what needs no attention is left out. */
export function DeviceSummary({ devices }: { devices: Device[] }) {
  const { t } = useTranslation();
  const rows = useDeviceRows(devices);
  const counts = useMemo(() => countFilters(rows), [rows]);
  const catchingUp = useMemo(() => devices.filter((device) => backfillShare(device) !== null), [devices]);
  const waiting = catchingUp.reduce((sum, device) => sum + (device.facts.pendingEvents ?? 0), 0);
  const online = counts['status.online'];
  const offline = counts['status.offline'];
  const fact = (mark: Mark | null, key: string, count: number) =>
    count === 0 ? null : (
      <span className={classes.fact}>
        {mark ? <LevelIcon mark={mark} size={11} /> : null}
        {t(`devices.summary.${key}`, { count, text: formatWhole(count) })}
      </span>
    );
  return (
    <div className={classes.summary}>
      {fact(null, 'devices', online + offline)}
      {fact('online', 'online', online)}
      {fact('offline', 'offline', offline)}
      {fact('danger', 'danger', counts['health.danger'])}
      {fact('warning', 'warning', counts['health.warning'])}
      {waiting > 0 ? (
        <span className={classes.fact}>
          {t('devices.summary.backfill', { count: catchingUp.length, text: compactCount(waiting) })}
        </span>
      ) : null}
    </div>
  );
}
