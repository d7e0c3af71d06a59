import type { DeviceSummary as Device } from '@albedo/contract/devices/devices.schema';
import { memo, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchChange } from '../../ui/data-table/use-table-address.ts';
import { LevelIcon, type Mark } from '../../ui/status/level-icon.tsx';
import { formatWhole } from '../../ui/units/numbers.ts';
import { backfillShare, compactCount } from './backfill.tsx';
import { countFilters, type FilterId, formatFilters } from './device-filters.ts';
import { useDeviceRows } from './device-rows.ts';
import classes from './devices.module.css';

/** One line that says how the fleet is; what needs no attention is left out. A click on a fact shows those devices only. */
export const DeviceSummary = memo(DrawSummary);

function DrawSummary({ devices }: { devices: Device[] }) {
  const { t } = useTranslation();
  const rows = useDeviceRows(devices);
  const counts = useMemo(() => countFilters(rows), [rows]);
  const catchingUp = useMemo(() => devices.filter((device) => backfillShare(device) !== null), [devices]);
  const waiting = catchingUp.reduce((sum, device) => sum + (device.facts.pendingEvents ?? 0), 0);
  const online = counts['status.online'];
  const offline = counts['status.offline'];
  const change = useSearchChange();
  const fact = (mark: Mark | null, key: string, count: number, filter?: FilterId) => {
    if (count === 0) return null;
    const text = t(`devices.summary.${key}`, { count, text: formatWhole(count) });
    if (!filter) return <span className={classes.fact}>{text}</span>;
    return (
      <button
        type="button"
        className={classes.fact}
        title={t('devices.summary.only', { what: text })}
        onClick={() => change({ show: formatFilters({ [filter]: 'include' }) })}
      >
        {mark ? <LevelIcon mark={mark} size={11} /> : null}
        {text}
      </button>
    );
  };
  return (
    <div className={classes.summary}>
      {fact(null, 'devices', online + offline)}
      {fact('online', 'online', online, 'status.online')}
      {fact('offline', 'offline', offline, 'status.offline')}
      {fact('danger', 'danger', counts['health.danger'], 'health.danger')}
      {fact('warning', 'warning', counts['health.warning'], 'health.warning')}
      {waiting > 0 ? (
        <span className={classes.fact} data-passing>
          {t('devices.summary.backfill', { count: catchingUp.length, text: compactCount(waiting) })}
        </span>
      ) : null}
    </div>
  );
}
