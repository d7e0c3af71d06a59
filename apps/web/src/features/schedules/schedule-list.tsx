import { kindOfPath } from '@albedo/contract/schedules/schedules.names';
import type { DeviceSchedule, Schedule } from '@albedo/contract/schedules/schedules.schema';
import { IconDevices, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { RowAction } from '../../app/list/actions.ts';
import { ListTable } from '../../app/list/list-table.tsx';
import { useList } from '../../app/list/use-list.ts';
import { useNow } from '../../app/now.ts';
import { useIsUnbound, usePermission } from '../../app/permissions.ts';
import { useWorkgroup } from '../../app/session.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { agoText } from '../../ui/units/durations.ts';
import { formatWhole } from '../../ui/units/numbers.ts';
import { HandOutDialog } from './hand-out-dialog.tsx';
import { kindText } from './holding-text.ts';
import { deviceSchedulesQuery, removeShared, sharedSchedulesQuery } from './schedules.queries.ts';
import { useWhyNot } from './use-controlled.ts';
import { WhyButton } from './why-button.tsx';

const idOf = ({ _id }: Schedule): string => _id;

/** Who may make and change shared schedules: whoever coordinates the whole workgroup. */
export function useWhyNotShare(): string | null {
  const { t } = useTranslation();
  const [may, isUnbound] = [usePermission('coordinate'), useIsUnbound()];
  return may && isUnbound ? null : t('schedules.shared.noRight');
}

/** Shared schedules, each with what became of it on the devices that use it. */
export function ScheduleListPage() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const navigate = useNavigate();
  const now = useNow(60_000);
  const list = useList({ query: sharedSchedulesQuery(wg), sort: 'name' });
  const { data: ofDevices } = useQuery(deviceSchedulesQuery(wg));
  const whyNot = useWhyNotShare();
  const whyNotControl = useWhyNot();
  const columns = useMemo(() => columnsOf(t, ofDevices ?? [], now), [t, ofDevices, now]);
  const menu = useMemo(
    () => ({
      label: ({ name }: Schedule) => t('schedules.shared.menu', { name }),
      nameOf: ({ name }: Schedule) => name,
      actions: (row: Schedule) =>
        actionsOf({ t, wg, whyNot, whyNotControl }, row, () =>
          navigate({ to: '/control/schedules/$schedule', params: { schedule: row._id } }),
        ),
    }),
    [t, wg, whyNot, whyNotControl, navigate],
  );
  const create = (
    <WhyButton
      why={whyNot}
      leftSection={<IconPlus size={16} />}
      onClick={() => void navigate({ to: '/control/schedules/$schedule', params: { schedule: 'new' } })}
    >
      {t('schedules.shared.create')}
    </WhyButton>
  );
  return (
    <Page
      isFilling
      title={t('menu.sharedSchedules')}
      context={t('schedules.shared.context')}
      actions={list.error || list.all?.length === 0 ? null : create}
    >
      <ListTable
        list={list}
        label={t('menu.sharedSchedules')}
        failed={t('schedules.shared.failed')}
        name="shared-schedules"
        columns={columns}
        rowId={idOf}
        search={t('schedules.shared.search')}
        Narrow={NarrowSchedule}
        menu={menu}
        onOpen={(row) => void navigate({ to: '/control/schedules/$schedule', params: { schedule: row._id } })}
        empty={
          <EmptyState title={t('schedules.shared.none')} text={t('schedules.shared.noneText')}>
            {create}
          </EmptyState>
        }
      />
    </Page>
  );
}

const kindsText = (t: TFunction, { entries }: Schedule): string =>
  [...new Set(entries.map(({ path }) => kindText(t, kindOfPath(path))))].join(', ');

/** `2 applied, 1 draft`, of the devices that have it; how many there are where nobody told more. */
function statesText(t: TFunction, { _id, devices }: Schedule, ofDevices: readonly DeviceSchedule[]): string {
  const own = ofDevices.filter(({ schedule }) => schedule === _id);
  if (own.length === 0)
    return devices.length === 0 ? '' : t('schedules.shared.devices', { count: devices.length });
  return (['applied', 'pending', 'draft'] as const)
    .flatMap((state) => {
      const count = own.filter((one) => one.state === state).length;
      return count === 0 ? [] : [t(`schedules.shared.${state}`, { count })];
    })
    .join(', ');
}

function columnsOf(t: TFunction, ofDevices: readonly DeviceSchedule[], now: number): Column<Schedule>[] {
  return [
    {
      id: 'name',
      title: t('schedules.name'),
      value: ({ name }) => name,
      cell: ({ _id, name }) => (
        <Link to="/control/schedules/$schedule" params={{ schedule: _id }}>
          {name}
        </Link>
      ),
      width: 220,
      isFixed: true,
    },
    {
      id: 'setpoints',
      title: t('schedules.setpoints'),
      value: (row) => kindsText(t, row),
      width: 180,
      importance: 2,
    },
    {
      id: 'steps',
      title: t('schedules.columns.steps'),
      value: ({ entries }) => entries.length,
      text: ({ entries }) => formatWhole(entries.length),
      align: 'right',
      width: 90,
      importance: 1,
    },
    {
      id: 'devices',
      title: t('schedules.shared.usedBy'),
      value: ({ devices }) => devices.length,
      text: (row) => statesText(t, row, ofDevices),
      width: 220,
      importance: 4,
    },
    {
      id: 'changed',
      title: t('schedules.columns.changed'),
      value: ({ changedAt }) => changedAt,
      text: ({ changedAt, author }) => `${agoText(changedAt, now)}, ${author}`,
      width: 220,
      importance: 3,
    },
  ];
}

interface Rights {
  t: TFunction;
  wg: string;
  whyNot: string | null;
  whyNotControl: string | null;
}

function actionsOf(
  { t, wg, whyNot, whyNotControl }: Rights,
  row: Schedule,
  open: () => Promise<void>,
): RowAction<Schedule>[] {
  const failed = t('schedules.failedOne');
  return [
    { id: 'open', title: t('schedules.shared.open'), icon: <IconPencil size={16} />, run: open, failed },
    {
      id: 'hand-out',
      title: t('schedules.handOut.do'),
      icon: <IconDevices size={16} />,
      disabledBecause: whyNotControl,
      dialog: (one, { close }) => <HandOutDialog schedule={one} onClose={close} />,
    },
    {
      id: 'remove',
      title: t('schedules.remove'),
      icon: <IconTrash size={16} />,
      isDangerous: true,
      disabledBecause: whyNot,
      ask: { text: t('schedules.shared.removeText', { name: row.name }) },
      run: () => removeShared(wg, row._id),
    },
  ];
}

function NarrowSchedule({ row }: { row: Schedule }) {
  const { t } = useTranslation();
  const { data = [] } = useQuery(deviceSchedulesQuery(useWorkgroup()));
  const states = statesText(t, row, data);
  return (
    <NarrowRow title={row.name}>
      {[kindsText(t, row), t('schedules.stepCount', { count: row.entries.length }), states]
        .filter(Boolean)
        .join(' · ')}
    </NarrowRow>
  );
}
