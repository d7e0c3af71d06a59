import { ageText, type HealthCell as Health } from '@albedo/contract/devices/devices.health';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../app/now.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { HealthCell } from '../../ui/status/health-cell.tsx';
import { cellText, healthText } from '../../ui/status/health-text.ts';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { StatusDot } from '../../ui/status/status-dot.tsx';
import { formatWhole } from '../../ui/units/numbers.ts';
import { Backfill } from './backfill.tsx';
import type { DeviceRow } from './device-rows.ts';
import classes from './devices.module.css';

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
  /** A judged number; what is unknown stands last. */
  const judged = (
    id: HealthKey,
    width: number,
    more: Partial<Column<DeviceRow>> = {},
  ): Column<DeviceRow> => ({
    ...title(id),
    width,
    value: ({ health }) => sortable(health[id]),
    text: ({ health }) => cellText(health[id]),
    cell: ({ health }) => <HealthCell cell={health[id]} />,
    ...more,
  });
  return [
    {
      ...title('deviceTitle'),
      width: 190,
      isFixed: true,
      value: ({ device }) => device.name,
      cell: (row) => <DeviceTitle row={row} />,
    },
    {
      ...title('status'),
      width: 98,
      value: ({ health }) => health.status.raw as string,
      cell: ({ device, health }) => (
        <StatusDot isOnline={device.facts.online} label={healthText(health.status.display)} />
      ),
    },
    {
      ...title('alertStatus'),
      width: 96,
      value: ({ health }) => SEVERITY[health.alertStatus.raw],
      text: ({ health }) => healthText(health.alertStatus.display),
      cell: ({ health }) => <HealthCell cell={health.alertStatus} />,
    },
    judged('cloudLastData', 102, { cell: (row) => <AgeCell row={row} field="cloudLastData" /> }),
    judged('statusSourceData', 110, { cell: (row) => <AgeCell row={row} field="statusSourceData" /> }),
    judged('cpuUsage', 106, { align: 'right' }),
    judged('cpuTemp', 98, { align: 'right' }),
    judged('memUsage', 106, { align: 'right' }),
    judged('diskUsage', 106, { align: 'right' }),
    judged('upTime', 110, { align: 'right' }),
    judged('clockAccuracy', 74, { value: ({ health }) => absolute(health.clockAccuracy) }),
    judged('osVersion', 240),
    {
      ...title('isCed'),
      width: 108,
      value: ({ health }) => healthText(health.isCed.display),
    },
    {
      ...title('hasBlackBox'),
      width: 90,
      value: ({ health }) => healthText(health.hasBlackBox.display),
    },
    {
      ...title('version'),
      width: 90,
      isHidden: true,
      value: ({ device }) => device.facts.version,
    },
    {
      ...title('pendingEvents'),
      width: 120,
      align: 'right',
      isHidden: true,
      value: ({ device }) => device.facts.pendingEvents,
      cell: ({ device }) => formatWhole(device.facts.pendingEvents),
    },
    {
      ...title('id'),
      width: 300,
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
      <LevelIcon mark={health.deviceTitle.class} />
      <a
        href={`/devices/${device.id}/general`}
        className={classes.deviceLink}
        tabIndex={-1}
        title={device.name}
      >
        {device.name}
      </a>
      <Backfill device={device} />
    </span>
  );
}

const INSTANTS = { cloudLastData: 'cloudLastDataAt', statusSourceData: 'sourceLastDataAt' } as const;

/** An age grows while one looks at it; how bad it is was judged with the row. */
function AgeCell({ row, field }: { row: DeviceRow; field: keyof typeof INSTANTS }) {
  const now = useNow(1000);
  const at = row.device.facts[INSTANTS[field]];
  const cell = row.health[field];
  return <HealthCell cell={at === null ? cell : { ...cell, display: ageText(Math.max(0, now - at)) }} />;
}

/** The row of a narrow screen: who and how it is, then the newest data and the load. */
export function NarrowDevice({ row }: { row: DeviceRow }) {
  const { t } = useTranslation();
  const { device, health } = row;
  return (
    <div className={classes.narrow}>
      <div className={classes.narrowLine}>
        <DeviceTitle row={row} />
        <StatusDot isOnline={device.facts.online} label={healthText(health.status.display)} />
      </div>
      <div className={classes.narrowLine} data-second>
        {device.facts.cloudLastDataAt === null ? (
          t('devices.noData')
        ) : (
          <AgeCell row={row} field="cloudLastData" />
        )}
        {device.facts.cpuUsage === null ? null : (
          <span className={classes.load}>
            {t('devices.columns.cpuUsage')} <HealthCell cell={health.cpuUsage} />
          </span>
        )}
        {health.memUsage.raw === null ? null : (
          <span className={classes.load}>
            {t('devices.columns.memUsage')} <HealthCell cell={health.memUsage} />
          </span>
        )}
      </div>
    </div>
  );
}
