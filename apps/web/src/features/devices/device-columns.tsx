import { ageText, type HealthCell as Health } from '@albedo/contract/devices/devices.health';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { isTold } from '../../app/incidents/gravity.ts';
import { IncidentLink } from '../../app/incidents/incident-link.tsx';
import { useIncidents, useMayOpenIncidents } from '../../app/incidents/incidents-query.ts';
import { useNow } from '../../app/now.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { HealthCell } from '../../ui/status/health-cell.tsx';
import { cellText, healthText } from '../../ui/status/health-text.ts';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { StatusDot } from '../../ui/status/status-dot.tsx';
import { formatWhole } from '../../ui/units/numbers.ts';
import { Backfill } from './backfill.tsx';
import type { DeviceRow } from './device-rows.ts';
import { isAwaited, reasonOf } from './device-state.ts';
import classes from './devices.module.css';
import { HeldMark } from './held-mark.tsx';
import { InstallButton } from './install-button.tsx';
import { TrendCell } from './trend-cell.tsx';

const SEVERITY = { ok: 0, warning: 1, danger: 2 } as const;

type HealthKey =
  | 'upTime'
  | 'cloudLastData'
  | 'statusSourceData'
  | 'clockAccuracy'
  | 'cpuUsage'
  | 'cpuTemp'
  | 'memUsage'
  | 'diskUsage'
  | 'osVersion';

/** All columns of the device list. Source: specification 2, section 3. */
export function deviceColumns(t: TFunction): Column<DeviceRow>[] {
  const title = (id: string) => ({ id, title: t(`devices.columns.${id}`), hint: t(`devices.hints.${id}`) });
  /** A judged number; what is unknown stands last. It changes all the time, and a bad one keeps its column in sight. */
  const judged = (
    id: HealthKey,
    width: number,
    importance: number,
    more: Partial<Column<DeviceRow>> = {},
  ): Column<DeviceRow> => ({
    ...title(id),
    width,
    importance,
    isLive: true,
    alarms: ({ health }) => health[id].class !== 'ok' && health[id].raw !== null,
    value: ({ health }) => sortable(health[id]),
    text: ({ health }) => cellText(health[id]),
    cell: (row) => <Judged row={row} id={id} />,
    ...more,
  });
  return [
    {
      ...title('deviceTitle'),
      width: 190,
      leastWidth: 128,
      isFixed: true,
      value: ({ device }) => device.name,
      cell: (row) => <DeviceTitle row={row} />,
    },
    {
      ...title('status'),
      width: 114,
      leastWidth: 96,
      importance: 100,
      value: ({ health }) => health.status.raw as string,
      cell: (row) => (isAwaited(row.device) ? <Awaited device={row.device} /> : <Status row={row} />),
    },
    {
      ...title('alertStatus'),
      width: 96,
      leastWidth: 92,
      importance: 70,
      value: ({ health }) => SEVERITY[health.alertStatus.raw],
      text: ({ health }) => healthText(health.alertStatus.display),
      cell: (row) => <Judged row={row} id="alertStatus" />,
    },
    {
      ...title('trend'),
      width: 190,
      leastWidth: 186,
      importance: 85,
      // It is asked for row by row as rows come into sight, so there is nothing to sort by.
      value: () => null,
      isUnsorted: true,
      cell: ({ device }) => <TrendCell device={device} />,
    },
    judged('cloudLastData', 116, 95, {
      leastWidth: 114,
      cell: (row) => <AgeCell row={row} field="cloudLastData" />,
    }),
    judged('statusSourceData', 110, 50, { cell: (row) => <AgeCell row={row} field="statusSourceData" /> }),
    judged('cpuUsage', 104, 90, { align: 'right', leastWidth: 92 }),
    judged('cpuTemp', 124, 45, { align: 'right' }),
    judged('memUsage', 104, 60, { align: 'right' }),
    judged('diskUsage', 104, 65, { align: 'right' }),
    judged('upTime', 104, 40, { align: 'right' }),
    judged('clockAccuracy', 74, 35, { value: ({ health }) => absolute(health.clockAccuracy) }),
    judged('osVersion', 220, 30, {
      isLive: false,
      // Of a device that is offline it says nothing but that.
      alarms: ({ device, health }) => device.facts.online && health.osVersion.class !== 'ok',
    }),
    {
      ...title('isCed'),
      width: 108,
      importance: 20,
      value: ({ health }) => healthText(health.isCed.display),
    },
    {
      ...title('hasBlackBox'),
      width: 90,
      importance: 10,
      value: ({ health }) => healthText(health.hasBlackBox.display),
      cell: ({ device, health }) => (isAwaited(device) ? null : healthText(health.hasBlackBox.display)),
    },
    {
      ...title('version'),
      width: 90,
      importance: 9,
      isHidden: true,
      value: ({ device }) => device.facts.version,
    },
    {
      ...title('pendingEvents'),
      width: 120,
      importance: 8,
      isLive: true,
      align: 'right',
      isHidden: true,
      value: ({ device }) => device.facts.pendingEvents,
      cell: ({ device }) => formatWhole(device.facts.pendingEvents),
    },
    {
      ...title('id'),
      width: 300,
      importance: 7,
      isHidden: true,
      value: ({ device }) => device.id,
      cell: ({ device }) => <span className="mono">{device.id}</span>,
    },
  ];
}

function sortable(cell: Health): string | number | null {
  return typeof cell.raw === 'boolean' ? cell.display : cell.raw;
}

const absolute = (cell: Health): number | null => (typeof cell.raw === 'number' ? Math.abs(cell.raw) : null);

/** A plain link, since there are thousands: the row follows it without leaving the app. */
function DeviceTitle({ row: { device, health } }: { row: DeviceRow }) {
  return (
    <span className={classes.deviceTitle} data-level={health.deviceTitle.class}>
      <LevelIcon mark={isAwaited(device) ? 'waiting' : health.deviceTitle.class} />
      <a
        href={`/devices/${device.id}/general`}
        className={classes.deviceLink}
        tabIndex={-1}
        title={device.name}
      >
        {device.name}
      </a>
      <Wrong device={device.id} />
      <Backfill device={device} />
    </span>
  );
}

/** The sign of the gravest incident of the device; what it is shows when the pointer rests on it. */
function Wrong({ device }: { device: string }) {
  const incident = useIncidents().ofDevice(device).find(isTold);
  const mayOpen = useMayOpenIncidents();
  return incident ? <IncidentLink isSign incident={incident} mayOpen={mayOpen} /> : null;
}

const INSTANTS = { cloudLastData: 'cloudLastDataAt', statusSourceData: 'sourceLastDataAt' } as const;

/** An age grows while one looks at it; how bad it is was judged with the row. */
function AgeCell({ row, field }: { row: DeviceRow; field: keyof typeof INSTANTS }) {
  const now = useNow(1000);
  const at = row.device.facts[INSTANTS[field]];
  const cell = row.health[field];
  if (at === null) return <Judged row={row} id={field} />;
  return <HealthCell cell={{ ...cell, display: ageText(Math.max(0, now - at)) }} />;
}

function Status({ row: { device, health } }: { row: DeviceRow }) {
  if (device.quarantine) return <HeldMark isShort />;
  return <StatusDot isOnline={device.facts.online} label={healthText(health.status.display)} />;
}

/** A value of the health record. Of a device that was never there all are missing, which its status says once. */
function Judged({ row: { device, health }, id }: { row: DeviceRow; id: HealthKey | 'alertStatus' }) {
  const { t } = useTranslation();
  if (isAwaited(device)) return null;
  const reason = reasonOf(device, health, id);
  return <HealthCell cell={health[id]} reason={reason && t(reason)} />;
}

/** In place of the whole record of a device that was never there, over the empty cells at its right. */
function Awaited({ device }: { device: DeviceRow['device'] }) {
  const { t } = useTranslation();
  return (
    <span className={classes.awaited}>
      <span className={classes.awaitedWords}>
        {t(device.ced ? 'devices.awaitedData' : 'devices.awaited')}
      </span>
      <InstallButton device={device} />
    </span>
  );
}

/** The row of a narrow screen: who and how it is, then the newest data and the load. */
export function NarrowDevice({ row }: { row: DeviceRow }) {
  const { t } = useTranslation();
  const { device, health } = row;
  return (
    <div className={classes.narrow}>
      <div className={classes.narrowLine}>
        <DeviceTitle row={row} />
        {isAwaited(device) ? null : <Status row={row} />}
      </div>
      <div className={classes.narrowLine} data-second>
        {isAwaited(device) ? (
          <Awaited device={device} />
        ) : device.facts.cloudLastDataAt === null ? (
          t('devices.noData')
        ) : (
          <AgeCell row={row} field="cloudLastData" />
        )}
        {device.facts.cpuUsage === null ? null : (
          <span className={classes.load}>
            {t('devices.columns.cpuUsage')} <HealthCell cell={health.cpuUsage} />
          </span>
        )}
        {health.memUsage.class === 'ok' || health.memUsage.raw === null ? null : (
          <span className={classes.load}>
            {t('devices.columns.memUsage')} <HealthCell cell={health.memUsage} />
          </span>
        )}
        {isAwaited(device) ? null : (
          <span className={classes.narrowTrend}>
            <TrendCell device={device} />
          </span>
        )}
      </div>
    </div>
  );
}
