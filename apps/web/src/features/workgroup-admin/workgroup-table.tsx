import type { WorkgroupEntry } from '@albedo/contract/workgroup-admin/workgroup-admin.schema';
import { Button, Modal } from '@mantine/core';
import {
  IconDownload,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlus,
  IconPuzzle,
  IconTrash,
} from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { Suspense, useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { confirmText } from '../../app/confirm-text.ts';
import { announced } from '../../app/inside.ts';
import { ListTable } from '../../app/list/list-table.tsx';
import { RowMenu } from '../../app/list/row-menu.tsx';
import { useList } from '../../app/list/use-list.ts';
import { notifyDone, notifyFailure } from '../../app/notify.ts';
import type { Column } from '../../ui/data-table/column.ts';
import { NarrowRow } from '../../ui/data-table/narrow-row.tsx';
import { PageAction } from '../../ui/page.tsx';
import { FormSkeleton } from '../../ui/skeletons.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { userZone } from '../../ui/time-range/time-zone.ts';
import { formatInstant } from '../../ui/time-range/zoned-time.ts';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { NewWorkgroupDialog } from './new-workgroup-dialog.tsx';
import classes from './workgroup-admin.module.css';
import {
  deleteWorkgroup,
  exportWorkgroup,
  suspendWorkgroup,
  workgroupEntriesQuery,
} from './workgroup-admin.queries.ts';

type Action = 'addons' | 'suspend' | 'delete';
const idOf = (row: WorkgroupEntry): string => row.name;

/** All workgroups, for the staff. */
export function WorkgroupTable() {
  const { t } = useTranslation();
  const list = useList({ query: workgroupEntriesQuery, sort: 'displayName' });
  const [isAdding, setAdding] = useState(false);
  const [open, setOpen] = useState<{ action: Action; row: WorkgroupEntry } | null>(null);
  const columns = useMemo(() => columnsOf(t), [t]);
  const menuOf = useCallback(
    (row: WorkgroupEntry) => <WorkgroupMenu row={row} onOpen={(action) => setOpen({ action, row })} />,
    [],
  );

  return (
    <>
      <PageAction>
        <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
          {t('workgroupAdmin.create')}
        </Button>
      </PageAction>
      <ListTable
        list={list}
        label={t('opsteam.tabs.workgroups')}
        failed={t('workgroupAdmin.workgroupsFailed')}
        name="workgroups"
        columns={columns}
        rowId={idOf}
        search={t('workgroupAdmin.searchWorkgroups')}
        Narrow={NarrowWorkgroup}
        actions={menuOf}
        empty={<EmptyState title={t('workgroupAdmin.noWorkgroups')} />}
      />
      {isAdding ? <NewWorkgroupDialog onClose={() => setAdding(false)} /> : null}
      {open ? <ActionDialog {...open} onClose={() => setOpen(null)} /> : null}
    </>
  );
}

function WorkgroupMenu({ row, onOpen }: { row: WorkgroupEntry; onOpen: (action: Action) => void }) {
  const { t } = useTranslation();
  const isOpen = row.suspendedAt === null;

  async function handleExport() {
    try {
      await exportWorkgroup(row.name);
      notifyDone(t('workgroupAdmin.exporting', { name: row.displayName }));
    } catch (error) {
      notifyFailure(t('workgroupAdmin.exportFailed', { name: row.displayName }), error);
    }
  }

  return (
    <RowMenu
      label={t('workgroupAdmin.actions', { name: row.displayName })}
      actions={[
        {
          title: t('workgroup.addons.title'),
          icon: <IconPuzzle size={16} />,
          onClick: () => onOpen('addons'),
        },
        {
          title: t('workgroupAdmin.export'),
          icon: <IconDownload size={16} />,
          onClick: () => void handleExport(),
        },
        {
          title: t(isOpen ? 'workgroupAdmin.suspend' : 'workgroupAdmin.resume'),
          icon: isOpen ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />,
          onClick: () => onOpen('suspend'),
        },
        {
          title: t('workgroupAdmin.delete'),
          icon: <IconTrash size={16} />,
          isDangerous: true,
          onClick: () => onOpen('delete'),
        },
      ]}
    />
  );
}

interface ActionDialogProps {
  action: Action;
  row: WorkgroupEntry;
  onClose: () => void;
}

function ActionDialog({ action, row, onClose }: ActionDialogProps) {
  const { t } = useTranslation();
  const isNarrow = useIsNarrow();
  const { name: wg, displayName: name } = row;
  if (action === 'addons') {
    return (
      <Modal
        opened
        size="lg"
        fullScreen={isNarrow}
        onClose={onClose}
        title={t('workgroupAdmin.addonsOf', { name })}
        closeButtonProps={{ 'aria-label': t('actions.close') }}
      >
        <Suspense fallback={<FormSkeleton fields={6} />}>
          {announced('opsteamWorkgroup').map(({ at, Content }) => (
            <Content key={at} wg={wg} />
          ))}
        </Suspense>
      </Modal>
    );
  }
  if (action === 'delete') {
    return (
      <ConfirmDialog
        confirm={confirmText(t('workgroupAdmin.delete'), name)}
        phrase={name}
        onClose={onClose}
        onConfirm={async () => {
          await deleteWorkgroup(wg, name);
          notifyDone(t('workgroupAdmin.deleted', { name }));
        }}
      >
        {[
          t('workgroupAdmin.deleteText', { name }),
          row.devices > 0 ? t('workgroupAdmin.deleteDevices', { count: row.devices }) : '',
          row.members > 0 ? t('workgroupAdmin.deleteMembers', { count: row.members }) : '',
        ].join(' ')}
      </ConfirmDialog>
    );
  }
  const isOpen = row.suspendedAt === null;
  return (
    <ConfirmDialog
      confirm={confirmText(t(isOpen ? 'workgroupAdmin.suspend' : 'workgroupAdmin.resume'), name)}
      isHarmless={!isOpen}
      onClose={onClose}
      onConfirm={async () => {
        await suspendWorkgroup(wg, isOpen);
        notifyDone(t(isOpen ? 'workgroupAdmin.suspended' : 'workgroupAdmin.resumed', { name }));
      }}
    >
      {t(isOpen ? 'workgroupAdmin.suspendText' : 'workgroupAdmin.resumeText', { name })}
    </ConfirmDialog>
  );
}

function columnsOf(t: TFunction): Column<WorkgroupEntry>[] {
  const time = (at: number) => formatInstant(at, userZone(), false);
  return [
    {
      id: 'displayName',
      title: t('workgroupAdmin.name'),
      value: (row) => row.displayName,
      width: 270,
      isFixed: true,
    },
    { id: 'name', title: t('workgroup.settings.id'), value: (row) => row.name, width: 180, importance: 3 },
    {
      id: 'state',
      title: t('workgroupAdmin.state'),
      value: (row) => stateText(t, row),
      cell: (row) => <State row={row} />,
      width: 120,
      importance: 7,
      alarms: ({ suspendedAt }) => suspendedAt !== null,
    },
    { id: 'plan', title: t('workgroupAdmin.plan'), value: (row) => row.plan, width: 120, importance: 2 },
    {
      id: 'members',
      title: t('workgroupAdmin.members'),
      value: (row) => row.members,
      width: 90,
      importance: 4,
      align: 'right',
    },
    {
      id: 'devices',
      title: t('workgroupAdmin.devices'),
      value: (row) => row.devices,
      width: 90,
      importance: 6,
      align: 'right',
    },
    {
      id: 'online',
      title: t('workgroupAdmin.online'),
      value: (row) => row.online,
      width: 80,
      importance: 5,
      align: 'right',
    },
    {
      id: 'createdAt',
      title: t('workgroupAdmin.created'),
      value: (row) => row.createdAt,
      isTime: true,
      text: (row) => time(row.createdAt),
      width: 170,
      importance: 1,
    },
  ];
}

const stateText = (t: TFunction, { suspendedAt }: WorkgroupEntry): string =>
  t(suspendedAt === null ? 'workgroupAdmin.open' : 'workgroupAdmin.isSuspended');

function State({ row }: { row: WorkgroupEntry }) {
  const { t } = useTranslation();
  return (
    <span className={classes.mark} data-mark={row.suspendedAt === null ? 'ok' : 'warning'}>
      {stateText(t, row)}
    </span>
  );
}

function NarrowWorkgroup({ row }: { row: WorkgroupEntry }) {
  const { t } = useTranslation();
  return (
    <NarrowRow title={row.displayName}>
      <State row={row} /> · {t('workgroupAdmin.members')} {row.members} · {t('workgroupAdmin.devices')}{' '}
      {row.devices}
    </NarrowRow>
  );
}
