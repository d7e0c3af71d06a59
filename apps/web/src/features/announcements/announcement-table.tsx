import { phaseOf } from '@albedo/contract/announcements/announcements.phase';
import type { StoredAnnouncement } from '@albedo/contract/announcements/announcements.schema';
import type { WorkgroupEntry } from '@albedo/contract/workgroup-admin/workgroup-admin.schema';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ListTable } from '../../app/list/list-table.tsx';
import { useList } from '../../app/list/use-list.ts';
import { useNow } from '../../app/now.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { PageAction } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { workgroupEntriesQuery } from '../workgroup-admin/workgroup-admin.queries.ts';
import { AnnouncementForm } from './announcement-form.tsx';
import { allAnnouncementsQuery } from './announcements.queries.ts';
import classes from './editor.module.css';

const idOf = (announcement: StoredAnnouncement): string => announcement._id;
const timeText = (iso: string): string => formatInstant(Date.parse(iso), userZone(), false);

/** All announcements, for the staff that writes them. */
export function AnnouncementTable() {
  const { t } = useTranslation();
  const now = useNow(5_000);
  const list = useList({ query: allAnnouncementsQuery, sort: '-startDate' });
  const [edited, setEdited] = useState<StoredAnnouncement | 'new' | null>(null);
  const { data: workgroups } = useQuery(workgroupEntriesQuery);
  const columns = useMemo(() => columnsOf(t, now, workgroups), [t, now, workgroups]);
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setEdited('new')}>
      {t('announcements.add')}
    </Button>
  );
  return (
    <>
      {list.all?.length !== 0 ? <PageAction>{add}</PageAction> : null}
      {list.all?.length === 0 ? (
        <EmptyState title={t('announcements.none')} text={t('announcements.noneWritten')}>
          {add}
        </EmptyState>
      ) : (
        <ListTable
          list={list}
          label={t('announcements.title')}
          failed={t('announcements.failed')}
          name="announcements"
          columns={columns}
          rowId={idOf}
          search={t('announcements.search')}
          Narrow={NarrowAnnouncement}
          onOpen={setEdited}
          empty={<EmptyState title={t('announcements.none')} />}
        />
      )}
      {edited ? (
        <AnnouncementForm announcement={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      ) : null}
    </>
  );
}

function columnsOf(
  t: TFunction,
  now: number,
  workgroups: readonly WorkgroupEntry[] = [],
): Column<StoredAnnouncement>[] {
  const nameOf = (wg: string) => workgroups.find(({ name }) => name === wg)?.displayName ?? wg;
  return [
    {
      id: 'title',
      title: t('announcements.titleField'),
      value: (row) => row.title,
      width: 360,
      isFixed: true,
    },
    {
      id: 'phase',
      title: t('announcements.phase'),
      value: (row) => t(`announcements.phases.${phaseOf(row, now)}`),
      cell: (row) => <Phase row={row} now={now} />,
      width: 120,
      importance: 4,
    },
    {
      id: 'audience',
      title: t('announcements.audience'),
      value: (row) => row.workgroups?.map(nameOf).join(', ') ?? t('announcements.everybody'),
      width: 220,
      importance: 1,
    },
    {
      id: 'startDate',
      title: t('announcements.start'),
      value: (row) => Date.parse(row.startDate),
      isTime: true,
      text: (row) => timeText(row.startDate),
      width: 180,
      importance: 3,
    },
    {
      id: 'endDate',
      title: t('announcements.end'),
      value: (row) => Date.parse(row.endDate),
      isTime: true,
      text: (row) => timeText(row.endDate),
      width: 180,
      importance: 2,
    },
  ];
}

function Phase({ row, now }: { row: StoredAnnouncement; now: number }) {
  const { t } = useTranslation();
  const phase = phaseOf(row, now);
  return (
    <span className={classes.phase} data-phase={phase}>
      {t(`announcements.phases.${phase}`)}
    </span>
  );
}

function NarrowAnnouncement({ row }: { row: StoredAnnouncement }) {
  const now = useNow(5_000);
  return (
    <NarrowRow title={row.title}>
      <Phase row={row} now={now} /> · {timeText(row.startDate)}
    </NarrowRow>
  );
}
