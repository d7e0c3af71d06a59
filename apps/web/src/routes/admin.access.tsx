import { Button, Tabs } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermission } from '../app/permissions.ts';
import { InviteDialog } from '../features/members/invite-dialog.tsx';
import { InviteList } from '../features/members/invite-list.tsx';
import { MemberList } from '../features/members/member-list.tsx';
import classes from '../features/members/members.module.css';
import { MfaPolicy } from '../features/members/mfa-policy.tsx';
import { Page } from '../ui/page.tsx';

/** Users and invitations of the workgroup. */
export function AccessPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const canManage = usePermission('manageAccess');
  const [isInviting, setInviting] = useState(false);
  const shown = pathname.endsWith('/invites') ? 'invites' : 'users';
  return (
    <Page
      isFilling
      title={t('members.title')}
      context={t(`members.context.${shown}`)}
      actions={
        canManage ? (
          <Button leftSection={<IconUserPlus size={16} />} onClick={() => setInviting(true)}>
            {t('members.invite')}
          </Button>
        ) : null
      }
    >
      <Tabs
        value={shown}
        className={classes.tabs ?? ''}
        keepMounted={false}
        onChange={(next) =>
          void navigate({ to: next === 'invites' ? '/admin/access/invites' : '/admin/access/users' })
        }
      >
        <Tabs.List>
          <Tabs.Tab value="users">{t('members.users')}</Tabs.Tab>
          {canManage ? <Tabs.Tab value="invites">{t('members.invites')}</Tabs.Tab> : null}
        </Tabs.List>
        <Tabs.Panel value={shown} className={classes.panel ?? ''}>
          {shown === 'users' && canManage ? <MfaPolicy /> : null}
          {shown === 'users' ? <MemberList /> : <InviteList />}
        </Tabs.Panel>
      </Tabs>
      {isInviting ? <InviteDialog onClose={() => setInviting(false)} /> : null}
    </Page>
  );
}
