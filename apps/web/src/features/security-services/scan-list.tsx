import type { SecurityTask } from '@albedo/contract/security-services/security-services.schema';
import { Anchor, SegmentedControl } from '@mantine/core';
import { IconCalendarOff, IconCalendarRepeat, IconPlayerPlay } from '@tabler/icons-react';
import { Link, useSearch } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useCallback, useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { BulkAction } from '../../app/list/actions.ts';
import { ListTable } from '../../app/list/list-table.tsx';
import { useList } from '../../app/list/use-list.ts';
import { useNow } from '../../app/now.ts';
import { useWorkgroup } from '../../app/session.ts';
import { useConnectionState } from '../../app/socket.ts';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { useSearchChange } from '../../ui/data-table/use-table-address.ts';
import { EmptyState } from '../../ui/states.tsx';
import { LevelIcon } from '../../ui/status/level-icon.tsx';
import { agoText } from '../../ui/units/durations.ts';
import { columnsOf, nameOf } from './scan-columns.tsx';
import { Play } from './scan-controls.tsx';
import { ScanDrawer } from './scan-drawer.tsx';
import { isBusy, stateText } from './scan-texts.ts';
import classes from './security-services.module.css';
import {
  followScans,
  runScans,
  type ScanRow,
  scanRowsQuery,
  setEnabled,
} from './security-services.queries.ts';

const TASKS = ['external', 'internal'] as const;
const idOf = ({ _id }: ScanRow): string => _id;

/** The devices of the workgroup with their scans, a tab of Admin > Workgroup. */
export function ScanList() {
  const { t } = useTranslation();
  const wg = useWorkgroup();
  const search = useSearch({ strict: false }) as { kind?: unknown; scan?: unknown };
  const changeSearch = useSearchChange();
  const task: SecurityTask = search.kind === 'internal' ? 'internal' : 'external';
  const list = useList({ query: scanRowsQuery(wg, task), sort: 'name' });
  const now = useNow(30_000);
  useEffect(() => followScans(wg), [wg]);
  const columns = useMemo(() => columnsOf(t, wg, task, now), [t, wg, task, now]);
  const bulk = useMemo(() => ({ nameOf, actions: bulkOf(t, wg, task) }), [t, wg, task]);
  const Narrow = useCallback(({ row }: { row: ScanRow }) => <NarrowScan row={row} now={now} />, [now]);
  const play = useCallback((row: ScanRow) => <Play wg={wg} task={task} row={row} />, [wg, task]);
  const open = useCallback((row: ScanRow) => changeSearch({ scan: row._id }), [changeSearch]);
  const opened = list.all?.find(({ _id }) => _id === search.scan);
  return (
    <>
      <NotLive />
      <ListTable
        key={task}
        list={list}
        label={t(`securityServices.kinds.${task}`)}
        failed={t('securityServices.failed')}
        name={`security-services-${task}`}
        columns={columns}
        rowId={idOf}
        search={t('securityServices.search')}
        Narrow={Narrow}
        actions={play}
        bulk={bulk}
        onOpen={open}
        toolbar={
          <SegmentedControl
            aria-label={t('securityServices.kind')}
            value={task}
            onChange={(value) =>
              changeSearch({ kind: value === 'external' ? undefined : value, scan: undefined })
            }
            data={TASKS.map((value) => ({ value, label: t(`securityServices.kinds.${value}`) }))}
          />
        }
        empty={
          <EmptyState title={t('securityServices.none')} text={t('securityServices.noneText')}>
            <Anchor renderRoot={(rest) => <Link {...rest} to="/devices" />}>{t('menu.devices')}</Anchor>
          </EmptyState>
        }
      />
      {opened ? (
        <ScanDrawer
          key={`${task} ${opened._id}`}
          task={task}
          row={opened}
          onClose={() => changeSearch({ scan: undefined })}
        />
      ) : null}
    </>
  );
}

/** Without a socket nobody tells of scans; they are asked for now and then. */
function NotLive() {
  const { t } = useTranslation();
  const state = useConnectionState();
  if (state === 'live' || state === 'connecting') return null;
  return (
    <p className={classes.notLive} role="status">
      <LevelIcon mark="warning" size={14} />
      {t('securityServices.notLive')}
    </p>
  );
}

function NarrowScan({ row, now }: { row: ScanRow; now: number }) {
  const { t } = useTranslation();
  const { job } = row;
  const parts = [
    stateText(t, row),
    job?.lastScan ? agoText(job.lastScan.endedAt, now) : null,
    job?.lastScan && job.unaccepted > 0 ? t('securityServices.toAccept', { count: job.unaccepted }) : null,
  ];
  return <NarrowRow title={row.name}>{parts.filter(Boolean).join(' · ')}</NarrowRow>;
}

function bulkOf(t: TFunction, wg: string, task: SecurityTask): BulkAction<ScanRow>[] {
  const kind = t(`securityServices.kinds.${task}`);
  const switched = (enabled: boolean) => async (ids: string[]) => {
    await setEnabled(wg, task, ids, enabled);
    return { failed: [] };
  };
  return [
    {
      id: 'run',
      title: t('securityServices.run'),
      icon: <IconPlayerPlay size={16} />,
      of: (rows) => rows.filter((row) => !isBusy(row)),
      ask: (rows) => ({
        text: t('securityServices.runText', { kind, count: rows.length }),
        isHarmless: true,
      }),
      run: async (ids) => {
        await runScans(wg, task, ids);
        return { failed: [] };
      },
      done: (rows) => t('securityServices.scheduled', { count: rows.length }),
    },
    {
      id: 'on',
      title: t('securityServices.turnOn'),
      icon: <IconCalendarRepeat size={16} />,
      of: (rows) => rows.filter(({ job }) => !job?.enabled),
      ask: (rows) => ({
        text: t('securityServices.turnOnText', { kind, count: rows.length }),
        isHarmless: true,
      }),
      run: switched(true),
      done: (rows) => t('securityServices.turnedOn', { count: rows.length }),
    },
    {
      id: 'off',
      title: t('securityServices.turnOff'),
      icon: <IconCalendarOff size={16} />,
      of: (rows) => rows.filter(({ job }) => job?.enabled),
      ask: (rows) => ({
        text: t('securityServices.turnOffText', { kind, count: rows.length }),
        isHarmless: true,
      }),
      run: switched(false),
      done: (rows) => t('securityServices.turnedOff', { count: rows.length }),
    },
  ];
}
