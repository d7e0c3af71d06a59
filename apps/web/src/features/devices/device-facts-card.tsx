import type { Device } from '@albedo/contract/devices/devices.schema';
import { useQuery } from '@tanstack/react-query';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { browserZone } from '../../ui/time-range/time-zone.ts';
import { formatDay, formatInstant } from '../../ui/time-range/zoned-time.ts';
import { formatLongDuration } from '../../ui/units/durations.ts';
import classes from './device-cards.module.css';
import { certificateQuery } from './devices.queries.ts';

const DAY_MS = 86_400_000;
/** A certificate that ends sooner than this needs a look, days. */
const EXPIRES_SOON_DAYS = 30;

/** What the machine is, and how long it may speak. */
export function DeviceFactsCard({ device }: { device: Device }) {
  const zone = browserZone();
  const { facts } = device;
  const rows: [string, React.ReactNode][] = [
    ['Agent', facts.version ?? 'never connected'],
    ['System', facts.os ?? 'unknown'],
    ['Kind', device.ced ? 'Cloud device' : 'Edge device'],
    ['Processor', device.arch],
    ['Time zone', device.meta.timezone ?? 'not told'],
    ['Certificate', <Certificate key="certificate" deviceId={device.id} />],
    ['Added', formatInstant(device.createdAt, zone, false)],
  ];
  return (
    <Section title="Machine">
      <dl className={classes.facts}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function Certificate({ deviceId }: { deviceId: string }) {
  const wg = useWorkgroup();
  const now = useNow(60_000);
  const { data, isPending, isError } = useQuery(certificateQuery(wg, deviceId));
  if (isPending) return <span>…</span>;
  if (isError) return <span>could not be asked for</span>;
  if (data === null) return <span>none yet; it is made with the first agent pack</span>;
  const zone = browserZone();
  if (data.revokedAt !== null) {
    return (
      <span className={classes.mark} data-mark="danger">
        <LevelIcon mark="danger" size={12} /> revoked {formatInstant(data.revokedAt, zone, false)}
      </span>
    );
  }
  const daysLeft = (data.notAfter - now) / DAY_MS;
  const mark = daysLeft < 0 ? 'danger' : daysLeft < EXPIRES_SOON_DAYS ? 'warning' : 'ok';
  const text = daysLeft < 0 ? 'ended' : `until ${formatDay(data.notAfter, zone)}`;
  return (
    <span className={classes.mark} data-mark={mark} title={`SHA-256 ${data.fingerprintSha256}`}>
      {mark === 'ok' ? null : <LevelIcon mark={mark} size={12} />} {text}
      {mark === 'warning' ? ` (${formatLongDuration(data.notAfter - now)} left)` : null}
    </span>
  );
}
