import { Button, Skeleton } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWorkgroup } from '../../app/session.ts';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState, TableSkeleton } from '../../ui/states.tsx';
import { compositionText } from './composition-text.ts';
import classes from './device-groups.module.css';
import { deviceGroupsQuery } from './device-groups.queries.ts';
import { GroupDevices } from './group-devices.tsx';
import { GroupDialog } from './group-dialog.tsx';
import { GroupPeople } from './group-people.tsx';
import { RemoveGroupDialog } from './remove-group-dialog.tsx';
import { useMayChangeGroups } from './use-may-change.ts';

/** One device group: its devices and its members. */
export function DeviceGroupPage() {
  const { t } = useTranslation();
  const { devGroupId } = useParams({ strict: false });
  const wg = useWorkgroup();
  const navigate = useNavigate();
  const mayChange = useMayChangeGroups();
  const { data, error, refetch } = useQuery(deviceGroupsQuery(wg));
  const [open, setOpen] = useState<'change' | 'remove' | null>(null);
  const group = data?.find(({ _id }) => _id === devGroupId);
  const toList = () => navigate({ to: '/admin/workgroup/device-groups' });

  if (!group) {
    return (
      <Page title={data || error ? t('deviceGroups.one') : <Skeleton height={26} width={220} />}>
        {error ? (
          <ErrorState title={t('deviceGroups.failed')} error={error} onRetry={() => void refetch()} />
        ) : data ? (
          <EmptyState title={t('deviceGroups.gone')}>
            <Button variant="default" component={Link} to="/admin/workgroup/device-groups">
              {t('deviceGroups.toList')}
            </Button>
          </EmptyState>
        ) : (
          <TableSkeleton rows={10} />
        )}
      </Page>
    );
  }
  return (
    <Page
      title={group.name}
      context={
        <>
          <Link to="/admin/workgroup/device-groups">{t('deviceGroups.title')}</Link> ·{' '}
          {compositionText(t, group.composition)}
        </>
      }
      actions={
        mayChange ? (
          <>
            <Button
              variant="subtle"
              color="var(--al-danger)"
              leftSection={<IconTrash size={16} />}
              onClick={() => setOpen('remove')}
            >
              {t('deviceGroups.remove')}
            </Button>
            <Button leftSection={<IconPencil size={16} />} onClick={() => setOpen('change')}>
              {t('deviceGroups.change')}
            </Button>
          </>
        ) : null
      }
    >
      <div className={classes.page}>
        <GroupPeople group={group} />
        <GroupDevices group={group} />
      </div>
      {open === 'change' ? <GroupDialog group={group} onClose={() => setOpen(null)} /> : null}
      {open === 'remove' ? (
        <RemoveGroupDialog group={group} onClose={() => setOpen(null)} onRemoved={() => void toList()} />
      ) : null}
    </Page>
  );
}
