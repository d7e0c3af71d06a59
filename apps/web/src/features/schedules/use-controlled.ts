import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { deviceZone } from '../../app/device-zone.ts';
import { usePermission } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import { AS_COLLECTED, resolveZone } from '../../ui/time-range/time-zone.ts';
import { deviceQuery } from '../devices/devices.queries.ts';
import { deviceSchedulesQuery, setpointsQuery } from './schedules.queries.ts';

/** A device with its setpoints and schedules, and the zone of its site, in which times are told. */
export function useControlled(deviceId: string) {
  const wg = useWorkgroup();
  const device = useQuery(deviceQuery(wg, deviceId));
  const setpoints = useQuery(setpointsQuery(wg, deviceId));
  const schedules = useQuery(deviceSchedulesQuery(wg, deviceId));
  const all = [device, setpoints, schedules];
  return {
    device: device.data,
    setpoints: setpoints.data,
    schedules: schedules.data,
    zone: resolveZone(AS_COLLECTED, device.data ? deviceZone(device.data) : null),
    /** What could not be loaded, as long as there is nothing to show in its place. */
    error: all.find(({ data, error }) => error && !data)?.error ?? null,
    retry: () => {
      for (const one of all) void one.refetch();
    },
  };
}

/** Why this person cannot reach devices; null where they can. */
export function useWhyNot(): string | null {
  const { t } = useTranslation();
  return usePermission('controlDevices') ? null : t('schedules.noRight');
}
