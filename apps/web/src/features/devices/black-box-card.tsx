import { HEALTH_LIMITS } from '@albedo/contract/devices/devices.health';
import type { Device, LatestSource } from '@albedo/contract/devices/devices.schema';
import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Rolling } from '../../ui/rolling.tsx';
import { Section } from '../../ui/section.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { agoText, formatLongDuration } from '../../ui/units/durations.ts';
import { NO_VALUE } from '../../ui/units/numbers.ts';
import { shownValue } from '../../ui/units/units.ts';
import classes from './device-cards.module.css';
import { latestQuery } from './devices.queries.ts';

/** Where the agent's own record lies. Source: specification 2, section 7. */
const BLACK_BOX = { table: 'black_box', source: 'Black box' };

interface Metric {
  field: string;
  /** Its title is `device.metrics.<key>`, and the figure that list and head of the device show too is the fact. */
  key: 'cpuUsage' | 'memUsage' | 'diskUsage' | 'cpuTemp';
  units: string;
  limits: { warning: number; danger: number };
}

/** Fields: specification 2, section 3; limits: section 9. */
const METRICS: readonly Metric[] = [
  { field: 'CPU usage', key: 'cpuUsage', units: '%', limits: HEALTH_LIMITS.cpuUsage },
  { field: 'MEM usage', key: 'memUsage', units: '%', limits: HEALTH_LIMITS.memUsage },
  { field: 'DISK usage', key: 'diskUsage', units: '%', limits: HEALTH_LIMITS.diskUsage },
  { field: 'CPU temp', key: 'cpuTemp', units: '°C', limits: HEALTH_LIMITS.cpuTemp },
];

/** The newest record that the agent makes of its own machine every five minutes. */
export function BlackBoxCard({ device }: { device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const now = useNow(1000);
  const { data, isPending, isError, error, refetch } = useQuery(latestQuery(wg, device.id));
  const record = data?.find((one) => one.table === BLACK_BOX.table && one.source === BLACK_BOX.source);
  if (isPending) return <BlackBoxSkeleton />;
  if (isError) {
    return (
      <Section title={t('device.blackBox.title')}>
        <ErrorState title={t('device.blackBox.failed')} error={error} onRetry={() => void refetch()} />
      </Section>
    );
  }
  // It has no machine of its own to measure.
  if (!record && device.ced) return null;
  if (!record) {
    return (
      <Section title={t('device.blackBox.title')}>
        <Text size="sm" c="dimmed">
          {t(device.facts.version === null ? 'device.blackBox.never' : 'device.blackBox.soon')}
        </Text>
      </Section>
    );
  }
  return (
    <Section
      title={t('device.blackBox.title')}
      context={<span title={formatInstant(record.eventAt, userZone())}>{agoText(record.eventAt, now)}</span>}
    >
      <div className={classes.tiles}>
        {METRICS.map((metric) => (
          <MetricTile
            key={metric.field}
            metric={metric}
            value={device.facts[metric.key] ?? record.values[metric.field]}
            isMean={metric.key === 'cpuUsage' && device.facts.cpuUsage !== null}
          />
        ))}
        <UpTimeTile record={record} />
      </div>
    </Section>
  );
}

function MetricTile({
  metric,
  value,
  isMean,
}: {
  metric: Metric;
  value: LatestSource['values'][string] | undefined;
  /** Of the last quarter of an hour. */
  isMean: boolean;
}) {
  const { t } = useTranslation();
  const { key, units, limits } = metric;
  const title = t(`device.metrics.${key}`);
  // Machines without a sensor report a negative temperature.
  const isKnown = typeof value === 'number' && !(units === '°C' && value < 0);
  if (!isKnown)
    return <Tile title={title} number={NO_VALUE} unit="" note={t('device.blackBox.notMeasured')} />;
  const level = value > limits.danger ? 'danger' : value > limits.warning ? 'warning' : 'ok';
  const { number, unit } = shownValue(value, units);
  const scale = units === '%' ? 100 : limits.danger * 1.2;
  return (
    <Tile
      title={title}
      number={number}
      unit={unit}
      note={t(isMean ? 'device.blackBox.mean' : `device.blackBox.${level}`, {
        level: t(`device.blackBox.${level}`),
      })}
      level={level}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a meter element cannot show where its limits are. */}
      <div
        className={classes.meter}
        role="meter"
        aria-label={title}
        aria-valuenow={value}
        aria-valuemin={0}
        aria-valuemax={scale}
        aria-valuetext={`${number} ${unit}, ${t(`device.blackBox.${level}`)}`}
      >
        <span data-level={level} style={{ width: `${Math.min(100, (value / scale) * 100)}%` }} />
        <i style={{ left: `${(limits.warning / scale) * 100}%` }} />
        <i style={{ left: `${(limits.danger / scale) * 100}%` }} />
      </div>
    </Tile>
  );
}

function UpTimeTile({ record }: { record: LatestSource }) {
  const { t } = useTranslation();
  const title = t('device.metrics.upTime');
  const hours = record.values['Uptime (hours)'] ?? record.values.Uptime;
  if (typeof hours !== 'number')
    return <Tile title={title} number={NO_VALUE} unit="" note={t('device.blackBox.notMeasured')} />;
  const text = formatLongDuration(hours * 3_600_000);
  const started = formatInstant(record.eventAt - hours * 3_600_000, userZone(), false);
  return <Tile title={title} number={text} unit="" note={t('device.blackBox.since', { started })} />;
}

interface TileProps {
  title: string;
  number: string;
  unit: string;
  note: string;
  level?: 'ok' | 'warning' | 'danger';
  children?: React.ReactNode;
}

function Tile({ title, number, unit, note, level = 'ok', children }: TileProps) {
  return (
    <div className={classes.tile}>
      <div className={classes.tileTitle}>{title}</div>
      <div className={classes.tileValue}>
        <Rolling text={number} />
        {unit === '' ? null : <small>{unit}</small>}
      </div>
      {children}
      <div className={classes.mark} data-mark={level}>
        {level === 'ok' ? null : <LevelIcon mark={level} size={12} />} {note}
      </div>
    </div>
  );
}

function BlackBoxSkeleton() {
  const { t } = useTranslation();
  return (
    <Section title={t('device.blackBox.title')}>
      <div className={classes.tiles}>
        {[...METRICS.map((metric) => metric.key), 'upTime'].map((key) => (
          <div key={key} className={classes.tile}>
            <div className={classes.tileTitle}>{t(`device.metrics.${key}`)}</div>
            <Skeleton height={24} width="60%" mt={4} />
            <Skeleton height={6} mt={8} />
            <Skeleton height={10} width="50%" mt={8} />
          </div>
        ))}
      </div>
    </Section>
  );
}
