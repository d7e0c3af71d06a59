import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { healthText } from '../../ui/status/health-text.ts';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { StatusDot } from '../../ui/status/status-dot.tsx';
import { judge } from './device-rows.ts';
import { isAwaited } from './device-state.ts';
import classes from './devices.module.css';
import { deviceListQuery } from './devices.queries.ts';
import { Reading } from './trend-cell.tsx';

/** In a row of the global search: whether the device is there, how it is, and what it reads. */
export function DeviceDetail({ id }: { id: string }) {
  const { data } = useQuery({
    ...deviceListQuery(useWorkgroup()),
    select: (devices) => byId(devices).get(id),
  });
  return data ? <Detail device={data} /> : null;
}

function Detail({ device }: { device: DeviceSummary }) {
  const { t } = useTranslation();
  const { health } = judge(device, useNow(30_000));
  if (isAwaited(device)) {
    return (
      <span className={classes.detail}>
        <LevelIcon mark="waiting" size={12} />
        {t(device.ced ? 'devices.awaitedData' : 'devices.awaited')}
      </span>
    );
  }
  return (
    <span className={classes.detail}>
      {device.facts.online ? <Reading device={device} /> : null}
      <StatusDot isOnline={device.facts.online} label={healthText(health.status.display)} />
      {device.facts.online ? <LevelIcon mark={health.deviceTitle.class} /> : null}
    </span>
  );
}

const known = new WeakMap<readonly DeviceSummary[], ReadonlyMap<string, DeviceSummary>>();

function byId(devices: readonly DeviceSummary[]): ReadonlyMap<string, DeviceSummary> {
  const map = known.get(devices) ?? new Map(devices.map((device) => [device.id, device]));
  known.set(devices, map);
  return map;
}
