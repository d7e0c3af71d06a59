import { buildHealth } from '@albedo/contract/devices/devices.health';
import type { Device } from '@albedo/contract/devices/devices.schema';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { HealthCell } from '../../ui/status/health-cell.tsx';
import { agoText, formatLongDuration } from '../../ui/units/durations.ts';
import { NO_VALUE } from '../../ui/units/numbers.ts';
import classes from './machine-strip.module.css';

const METRICS = ['cpuUsage', 'memUsage', 'diskUsage', 'cpuTemp'] as const;

/** The machine that serves a plant, in one line: it matters when it fails. */
export function MachineStrip({ device }: { device: Device }) {
  const { t } = useTranslation();
  const now = useNow(10_000);
  const health = buildHealth(device, now);
  const { upTimeHours, blackBoxAt } = device.facts;
  return (
    <section className={classes.strip} aria-label={t('device.blackBox.load')}>
      <h2>{t('device.blackBox.load')}</h2>
      <dl>
        {METRICS.map((key) => (
          <div key={key}>
            <dt title={t(`devices.hints.${key}`)}>
              {t(key === 'cpuUsage' ? 'device.blackBox.cpuMean' : `device.metrics.${key}`)}
            </dt>
            <dd>
              <HealthCell cell={health[key]} />
            </dd>
          </div>
        ))}
        <div>
          <dt>{t('device.metrics.upTime')}</dt>
          <dd>{upTimeHours === null ? NO_VALUE : formatLongDuration(upTimeHours * 3_600_000)}</dd>
        </div>
      </dl>
      {blackBoxAt === null ? null : <span className={classes.age}>{agoText(blackBoxAt, now)}</span>}
    </section>
  );
}
