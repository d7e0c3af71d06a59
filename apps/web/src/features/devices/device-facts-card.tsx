import { buildHealth } from '@albedo/contract/devices/devices.health';
import type { Device, DeviceFacts } from '@albedo/contract/devices/devices.schema';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { Section } from '../../ui/section.tsx';
import { HealthCell } from '../../ui/status/health-cell.tsx';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatDay, formatInstant } from '../../ui/time-range/zoned-time.ts';
import { formatLongDuration } from '../../ui/units/durations.ts';
import { formatWhole } from '../../ui/units/numbers.ts';
import classes from './device-cards.module.css';
import { certificateQuery, connectionQuery } from './devices.queries.ts';

const DAY_MS = 86_400_000;
/** A certificate that ends sooner than this needs a look, days. */
const EXPIRES_SOON_DAYS = 30;

/** What the machine is, and how long it may speak. */
export function DeviceFactsCard({ device }: { device: Device }) {
  const { t } = useTranslation();
  const zone = userZone();
  const now = useNow(30_000);
  const { facts } = device;
  const health = buildHealth(device, now);
  const rows: [string, React.ReactNode][] = [
    ['agent', facts.version ?? t('device.machine.neverConnected')],
    ['system', facts.os ?? t('device.machine.unknown')],
    ['kind', t(device.ced ? 'device.machine.cloud' : 'device.machine.edge')],
    ['processor', device.arch],
    ...(facts.fallbackError === null
      ? []
      : ([['fallback', <Fallback key="fallback" why={facts.fallbackError} />]] as [
          string,
          React.ReactNode,
        ][])),
    // A state that the browser kept from before this was told has none.
    ...(facts.wentBack
      ? ([['wentBack', <WentBackText key="wentBack" told={facts.wentBack} />]] as [string, React.ReactNode][])
      : []),
    ['connection', <Connection key="connection" device={device} />],
    ['starts', startsText(t, facts)],
    ['clock', <HealthCell key="clock" cell={health.clockAccuracy} />],
    ['storage', <HealthCell key="storage" cell={health.diskUsage} />],
    [
      'waiting',
      facts.pendingEvents === null ? t('device.machine.notTold') : formatWhole(facts.pendingEvents),
    ],
    ['timeZone', device.meta.timezone ?? t('device.machine.notTold')],
    ['certificate', <Certificate key="certificate" deviceId={device.id} />],
    ['added', formatInstant(device.createdAt, zone, false)],
  ];
  return (
    <Section title={t('device.machine.title')}>
      <dl className={classes.facts}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{t(`device.machine.${name}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function startsText(t: TFunction, { starts, crashes }: DeviceFacts): string {
  if (starts === null) return t('device.machine.notTold');
  return t('device.machine.crashes', { starts: formatWhole(starts), count: crashes ?? 0 });
}

/** The configuration on the device cannot be used, so the one before is in force. */
function Fallback({ why }: { why: string }) {
  const { t } = useTranslation();
  return (
    <span className={classes.mark} data-mark="warning">
      <LevelIcon mark="warning" size={12} /> {t('device.machine.fallbackText', { why })}
    </span>
  );
}

/** What the device undid, since nobody could reach it any more. */
function WentBackText({ told }: { told: NonNullable<DeviceFacts['wentBack']> }) {
  const { t } = useTranslation();
  const { kind, name, at, why } = told;
  const facts = { what: t(`device.wentBack.${kind}`, { name }), at: formatInstant(at, userZone()), why };
  return (
    <span className={classes.mark} data-mark="warning">
      <LevelIcon mark="warning" size={12} /> {t('device.machine.wentBackText', facts)}
    </span>
  );
}

/** Whether it is there, since when, and how often it was not. */
function Connection({ device: { id, facts } }: { device: Device }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  // The title of the page counts these seconds too.
  const now = useNow(1000);
  const { data } = useQuery(connectionQuery(wg, id));
  const { online, stateChangedAt } = facts;
  if (stateChangedAt === null) return <span>{t('device.machine.neverConnected')}</span>;
  const time = formatLongDuration(Math.max(0, now - stateChangedAt));
  return (
    <span title={data?.lastDropAt ? formatInstant(data.lastDropAt, userZone()) : undefined}>
      {t(online ? 'device.machine.online' : 'device.machine.offline', { time })}
      {data ? `, ${t('device.machine.drops', { count: data.drops, days: data.days })}` : null}
    </span>
  );
}

function Certificate({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const now = useNow(60_000);
  const { data, isPending, isError } = useQuery(certificateQuery(wg, deviceId));
  if (isPending) return <span>…</span>;
  if (isError) return <span>{t('device.certificate.failed')}</span>;
  if (data === null) return <span>{t('device.certificate.none')}</span>;
  const zone = userZone();
  if (data.revokedAt !== null) {
    return (
      <span className={classes.mark} data-mark="danger">
        <LevelIcon mark="danger" size={12} />{' '}
        {t('device.certificate.revoked', { at: formatInstant(data.revokedAt, zone, false) })}
      </span>
    );
  }
  const daysLeft = (data.notAfter - now) / DAY_MS;
  const mark = daysLeft < 0 ? 'danger' : daysLeft < EXPIRES_SOON_DAYS ? 'warning' : 'ok';
  const text =
    daysLeft < 0
      ? t('device.certificate.ended')
      : t('device.certificate.until', { day: formatDay(data.notAfter, zone) });
  return (
    <span className={classes.mark} data-mark={mark} title={`SHA-256 ${data.fingerprintSha256}`}>
      {mark === 'ok' ? null : <LevelIcon mark={mark} size={12} />} {text}
      {mark === 'warning'
        ? ` (${t('device.certificate.left', { time: formatLongDuration(data.notAfter - now) })})`
        : null}
    </span>
  );
}
