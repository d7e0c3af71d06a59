import { HEALTH_LIMITS } from '@albedo/contract/devices/devices.health';
import type { Device, LatestSource } from '@albedo/contract/devices/devices.schema';
import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { browserZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { formatAge, formatLongDuration } from '../../ui/units/durations.ts';
import { shownValue } from '../../ui/units/units.ts';
import classes from './device-cards.module.css';
import { latestQuery } from './devices.queries.ts';

/** Where the agent's own record lies. Source: specification 2, section 7. */
const BLACK_BOX = { table: 'black_box', source: 'Black box' };

interface Metric {
  field: string;
  title: string;
  units: string;
  limits: { warning: number; danger: number };
}

/** Fields: specification 2, section 3; limits: section 9. */
const METRICS: readonly Metric[] = [
  { field: 'CPU usage', title: 'CPU', units: '%', limits: HEALTH_LIMITS.cpuUsage },
  { field: 'MEM usage', title: 'Memory', units: '%', limits: HEALTH_LIMITS.memUsage },
  { field: 'DISK usage', title: 'Disk', units: '%', limits: HEALTH_LIMITS.diskUsage },
  { field: 'CPU temp', title: 'CPU temperature', units: '°C', limits: HEALTH_LIMITS.cpuTemp },
];

/** The newest record that the agent makes of its own machine every five minutes. */
export function BlackBoxCard({ device }: { device: Device }) {
  const wg = useWorkgroup();
  const now = useNow(1000);
  const { data, isPending, isError } = useQuery(latestQuery(wg, device.id));
  const record = data?.find((one) => one.table === BLACK_BOX.table && one.source === BLACK_BOX.source);
  if (isPending) return <BlackBoxSkeleton />;
  if (isError) return null;
  if (!record) {
    return (
      <Section title="Black box">
        <Text size="sm" c="dimmed">
          {device.facts.version === null
            ? 'The agent records CPU, memory, disk and temperature of its machine here. It has not connected yet.'
            : 'The agent makes its first record within five minutes of its start.'}
        </Text>
      </Section>
    );
  }
  return (
    <Section
      title="Black box"
      context={
        <span title={formatInstant(record.eventAt, browserZone())}>{formatAge(record.eventAt, now)} ago</span>
      }
    >
      <div className={classes.tiles}>
        {METRICS.map((metric) => (
          <MetricTile key={metric.field} metric={metric} value={record.values[metric.field]} />
        ))}
        <UpTimeTile record={record} />
      </div>
    </Section>
  );
}

const MARKS = { ok: 'within limits', warning: 'high', danger: 'too high' } as const;

function MetricTile({
  metric,
  value,
}: {
  metric: Metric;
  value: LatestSource['values'][string] | undefined;
}) {
  const { title, units, limits } = metric;
  // Machines without a sensor report a negative temperature.
  const isKnown = typeof value === 'number' && !(units === '°C' && value < 0);
  if (!isKnown) return <Tile title={title} number="none" unit="" note="not measured" />;
  const level = value > limits.danger ? 'danger' : value > limits.warning ? 'warning' : 'ok';
  const { number, unit } = shownValue(value, units);
  const scale = units === '%' ? 100 : limits.danger * 1.2;
  return (
    <Tile title={title} number={number} unit={unit} note={MARKS[level]} level={level}>
      {/* biome-ignore lint/a11y/useSemanticElements: a meter element cannot show where its limits are. */}
      <div
        className={classes.meter}
        role="meter"
        aria-label={title}
        aria-valuenow={value}
        aria-valuemin={0}
        aria-valuemax={scale}
        aria-valuetext={`${number} ${unit}, ${MARKS[level]}`}
      >
        <span data-level={level} style={{ width: `${Math.min(100, (value / scale) * 100)}%` }} />
        <i style={{ left: `${(limits.warning / scale) * 100}%` }} />
        <i style={{ left: `${(limits.danger / scale) * 100}%` }} />
      </div>
    </Tile>
  );
}

function UpTimeTile({ record }: { record: LatestSource }) {
  const hours = record.values['Uptime (hours)'] ?? record.values.Uptime;
  if (typeof hours !== 'number') return <Tile title="Uptime" number="–" unit="" note="not measured" />;
  const text = formatLongDuration(hours * 3_600_000);
  const started = formatInstant(record.eventAt - hours * 3_600_000, browserZone(), false);
  return <Tile title="Uptime" number={text} unit="" note={`since ${started}`} />;
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
        {number}
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
  return (
    <Section title="Black box">
      <div className={classes.tiles}>
        {[...METRICS.map((metric) => metric.title), 'Uptime'].map((title) => (
          <div key={title} className={classes.tile}>
            <div className={classes.tileTitle}>{title}</div>
            <Skeleton height={24} width="60%" mt={4} />
            <Skeleton height={6} mt={8} />
            <Skeleton height={10} width="50%" mt={8} />
          </div>
        ))}
      </div>
    </Section>
  );
}
