import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import type { DeviceSchedule, DeviceSetpoint } from '@albedo/contract/schedules/schedules.schema';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { FilterControl } from '../../app/list/filter-control.tsx';
import { ListTable } from '../../app/list/list-table.tsx';
import { useList } from '../../app/list/use-list.ts';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { StatusDot } from '../../ui/status/status-dot.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { zoneLabel } from '../../ui/time-range/zoned-time.ts';
import { deviceListQuery } from '../devices/devices.queries.ts';
import { ApprovalCards } from './approval-cards.tsx';
import { bySetpoint, holdingOf } from './holding.ts';
import { followText, holdingText, kindText } from './holding-text.ts';
import classes from './schedules.module.css';
import { deviceSchedulesQuery, setpointsQuery } from './schedules.queries.ts';
import { StateBadge } from './state-badge.tsx';

const FILTERS = ['controlled', 'all'] as const;
type FilterValue = (typeof FILTERS)[number];
const idOf = ({ id }: DeviceSummary): string => id;

/** What waits for somebody, and all devices with what holds on them. */
export function ControlDevicesPage() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const navigate = useNavigate();
  const now = useNow(30_000);
  const setpoints = useQuery(setpointsQuery(wg));
  const schedules = useQuery(deviceSchedulesQuery(wg));
  const filter = useMemo(() => {
    const controlled = new Set(setpoints.data?.map(({ deviceId }) => deviceId));
    return {
      param: 'show',
      values: FILTERS,
      matches: ({ id }: DeviceSummary, value: FilterValue) => value === 'all' || controlled.has(id),
    };
  }, [setpoints.data]);
  const devices = useList({ query: deviceListQuery(wg), sort: 'name', filter });
  const isKnown = setpoints.data && schedules.data;
  const list = { ...devices, rows: isKnown ? devices.rows : undefined };
  const columns = useMemo(
    () => columnsOf({ t, now, setpoints: setpoints.data ?? [], schedules: schedules.data ?? [] }),
    [t, now, setpoints.data, schedules.data],
  );
  const failed = [setpoints, schedules].find(({ error, data }) => error && !data);
  const nameOf = (id: string) => devices.all?.find((one) => one.id === id)?.name ?? id;
  const zone = userZone();
  return (
    <Page
      isFilling
      title={t('menu.deviceSchedules')}
      context={t('schedules.devices.context', { zone: zoneLabel(zone, now) })}
    >
      <ApprovalCards schedules={schedules.data ?? []} zone={zone} nameOf={nameOf} />
      {failed ? (
        <ErrorState
          title={t('schedules.failed')}
          error={failed.error}
          onRetry={() => void Promise.all([setpoints.refetch(), schedules.refetch()])}
        />
      ) : (
        <ListTable
          list={list}
          label={t('schedules.devices.title')}
          failed={t('schedules.failed')}
          name="control-devices"
          columns={columns}
          rowId={idOf}
          search={t('schedules.devices.search')}
          Narrow={NarrowDevice}
          toolbar={
            <FilterControl
              list={devices}
              values={FILTERS}
              label={t('schedules.devices.show')}
              titleOf={(value) => t(`schedules.devices.${value}`)}
            />
          }
          onOpen={({ id }) => void navigate({ to: '/control/devices/$deviceId', params: { deviceId: id } })}
          empty={<EmptyState title={t('schedules.devices.none')} text={t('schedules.devices.noneText')} />}
        />
      )}
    </Page>
  );
}

interface Known {
  t: TFunction;
  now: number;
  setpoints: readonly DeviceSetpoint[];
  schedules: readonly DeviceSchedule[];
}

const holdingsOf = ({ setpoints, schedules, now }: Omit<Known, 't'>, id: string) => {
  const own = schedules.filter(({ deviceId }) => deviceId === id);
  return setpoints
    .filter(({ deviceId }) => deviceId === id)
    .sort(bySetpoint)
    .map((setpoint) => holdingOf(setpoint, own, now));
};

/** What holds on a device, active power first: of each setpoint on which something does. */
function nowText(known: Known, id: string): string {
  const { t, now } = known;
  const holdings = holdingsOf(known, id);
  const telling = holdings.filter(({ value, next }) => value || next);
  const shown = telling.length > 0 ? telling : holdings.slice(0, 1);
  return shown
    .map((one, index) => {
      const text = holdingText(t, one, userZone(), now);
      return index === 0 ? text : `${kindText(t, one.setpoint.kind)}: ${text}`;
    })
    .join(' · ');
}

function columnsOf(known: Known): Column<DeviceSummary>[] {
  const { t } = known;
  const followOf = (id: string) =>
    holdingsOf(known, id)
      .map((one) => followText(t, one))
      .filter(Boolean)
      .join(', ');
  const pendingOf = (id: string) => holdingsOf(known, id).flatMap(({ pending }) => pending ?? []);
  return [
    {
      id: 'name',
      title: t('schedules.devices.device'),
      value: ({ name }) => name,
      cell: ({ id, name }) => (
        <Link to="/control/devices/$deviceId" params={{ deviceId: id }}>
          {name}
        </Link>
      ),
      width: 180,
      isFixed: true,
    },
    {
      id: 'now',
      title: t('schedules.devices.now'),
      value: ({ id }) => nowText(known, id),
      width: 300,
      importance: 5,
    },
    {
      id: 'follow',
      title: t('schedules.devices.follow'),
      value: ({ id }) => followOf(id),
      cell: ({ id }) => (
        <span
          className={classes.result}
          data-result={
            holdingsOf(known, id).some(({ notFollowed }) => notFollowed > 0) ? 'notFollowed' : undefined
          }
        >
          {followOf(id)}
        </span>
      ),
      width: 190,
      importance: 4,
    },
    {
      id: 'pending',
      title: t('schedules.devices.pending'),
      value: ({ id }) => pendingOf(id).length,
      text: ({ id }) =>
        pendingOf(id)
          .map(({ name }) => name)
          .join(', '),
      cell: ({ id }) => pendingOf(id).map((one) => <StateBadge key={one._id} schedule={one} />),
      width: 180,
      importance: 3,
    },
    {
      id: 'state',
      title: t('schedules.devices.connection'),
      value: ({ facts }) => Number(facts.online),
      text: ({ facts }) => t(facts.online ? 'schedules.devices.online' : 'schedules.devices.offline'),
      cell: ({ facts }) => (
        <StatusDot
          isOnline={facts.online}
          label={t(facts.online ? 'schedules.devices.online' : 'schedules.devices.offline')}
        />
      ),
      width: 110,
      importance: 2,
    },
  ];
}

function NarrowDevice({ row }: { row: DeviceSummary }) {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const now = useNow(30_000);
  const { data: setpoints = [] } = useQuery(setpointsQuery(wg));
  const { data: schedules = [] } = useQuery(deviceSchedulesQuery(wg));
  return <NarrowRow title={row.name}>{nowText({ t, now, setpoints, schedules }, row.id)}</NarrowRow>;
}
