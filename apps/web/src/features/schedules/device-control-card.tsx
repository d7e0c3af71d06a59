import type { Device } from '@albedo/contract/devices/devices.schema';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { deviceZone } from '../../app/device-zone.ts';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import { AS_COLLECTED, resolveZone } from '../../ui/time-range/time-zone.ts';
import { bySetpoint, holdingOf } from './holding.ts';
import { followText, holdingText, kindText } from './holding-text.ts';
import classes from './schedules.module.css';
import { deviceSchedulesQuery, setpointsQuery } from './schedules.queries.ts';
import { useHasControl } from './use-has-control.ts';

/** What holds on the setpoints of a device; nothing on one that has none. */
export function DeviceControlCard({ device }: { device: Device }) {
  return useHasControl() ? <Card device={device} /> : null;
}

function Card({ device }: { device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const now = useNow(30_000);
  const { data: setpoints } = useQuery(setpointsQuery(wg, device.id));
  const { data: schedules = [] } = useQuery(deviceSchedulesQuery(wg, device.id));
  if (!setpoints || setpoints.length === 0) return null;
  const zone = resolveZone(AS_COLLECTED, deviceZone(device));
  return (
    <Section
      title={t('menu.controls')}
      actions={
        <Link to="/control/devices/$deviceId" params={{ deviceId: device.id }} data-alone>
          {t('schedules.open')}
        </Link>
      }
    >
      <dl className={classes.facts}>
        {setpoints.toSorted(bySetpoint).map((setpoint) => {
          const holding = holdingOf(setpoint, schedules, now);
          return (
            <div key={setpoint.path}>
              <dt>{kindText(t, setpoint.kind)}</dt>
              <dd>
                {[holdingText(t, holding, zone, now), followText(t, holding)].filter(Boolean).join(' · ')}
              </dd>
            </div>
          );
        })}
      </dl>
    </Section>
  );
}
