import { holds, type Permission } from '@albedo/contract/access/permissions';
import { ACCESS_CONTROL_ADDON } from '@albedo/contract/access-control/access-control.schema';
import { Button, Tabs } from '@mantine/core';
import { IconKey, IconUserPlus } from '@tabler/icons-react';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { visitorOf } from '../app/guard.ts';
import { usePermission } from '../app/permissions.ts';
import { useSignedIn } from '../app/session.ts';
import classesOfRules from '../features/access-control/access-control.module.css';
import { rulesChanged } from '../features/access-control/access-control.queries.ts';
import { AccessControlNote } from '../features/access-control/access-control-note.tsx';
import { RulesSection } from '../features/access-control/rules-section.tsx';
import { WhySection } from '../features/access-control/why-section.tsx';
import { TokenDialog } from '../features/api-tokens/token-dialog.tsx';
import { TokenList } from '../features/api-tokens/token-list.tsx';
import { AuditLog } from '../features/audit/audit-log.tsx';
import { InviteDialog } from '../features/members/invite-dialog.tsx';
import { InviteList } from '../features/members/invite-list.tsx';
import { MemberList } from '../features/members/member-list.tsx';
import { RolesSection } from '../features/roles/roles-section.tsx';
import { Page } from '../ui/page.tsx';
import { TabList } from '../ui/tab-list.tsx';
import classes from './tabbed.module.css';

interface AccessTab {
  /** Last part of the address. */
  id: 'users' | 'invites' | 'api-tokens' | 'access-control' | 'audit';
  /** Key of its name. */
  title: string;
  /** At least one of these is needed. */
  permissions: readonly Permission[];
  addon?: string;
}

const TABS: readonly AccessTab[] = [
  { id: 'users', title: 'members.users', permissions: ['manageAccess', 'wgMembers'] },
  { id: 'invites', title: 'members.invites', permissions: ['manageAccess'] },
  { id: 'api-tokens', title: 'apiTokens.title', permissions: ['manageAccess'] },
  {
    id: 'access-control',
    title: 'accessControl.tab',
    permissions: ['manageAccess'],
    addon: ACCESS_CONTROL_ADDON,
  },
  { id: 'audit', title: 'audit.title', permissions: ['audit'] },
];

/** Who may do what in the workgroup, and who did. */
export function AccessPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const session = useSignedIn();
  const visitor = visitorOf(session);
  const canManage = usePermission('manageAccess');
  const [open, setOpen] = useState<'invite' | 'token' | null>(null);
  const tabs = TABS.filter(
    ({ permissions, addon }) =>
      visitor &&
      permissions.some((one) => holds(visitor.scope, one)) &&
      (addon === undefined || visitor.addons.includes(addon)),
  );
  const shown = TABS.find(({ id }) => pathname.includes(`/admin/access/${id}`))?.id ?? 'users';
  const contents: Record<AccessTab['id'], ReactNode> = {
    users: <MemberList />,
    invites: <InviteList onInvite={() => setOpen('invite')} />,
    'api-tokens': <TokenList onNew={() => setOpen('token')} />,
    'access-control': <AccessControl wg={session.workgroup} />,
    audit: <AuditLog wg={session.workgroup} />,
  };
  return (
    <Page
      isFilling={shown !== 'access-control'}
      title={t('members.title')}
      context={t(`access.context.${shown}`)}
      actions={canManage ? <Action shown={shown} onOpen={setOpen} /> : null}
    >
      <Tabs
        value={shown}
        className={classes.tabs ?? ''}
        keepMounted={false}
        onChange={(next) => next && void navigate({ to: `/admin/access/${next}` as '/admin/access/users' })}
      >
        <TabList shown={shown} tabs={tabs.map(({ id, title }) => ({ id, title: t(title) }))} />
        <Tabs.Panel value={shown} className={classes.panel ?? ''}>
          {contents[shown]}
        </Tabs.Panel>
      </Tabs>
      {open === 'invite' ? <InviteDialog onClose={() => setOpen(null)} /> : null}
      {open === 'token' ? <TokenDialog onClose={() => setOpen(null)} /> : null}
    </Page>
  );
}

function Action({ shown, onOpen }: { shown: AccessTab['id']; onOpen: (dialog: 'invite' | 'token') => void }) {
  const { t } = useTranslation();
  if (shown === 'api-tokens')
    return (
      <Button leftSection={<IconKey size={16} />} onClick={() => onOpen('token')}>
        {t('apiTokens.new')}
      </Button>
    );
  if (shown !== 'users' && shown !== 'invites') return null;
  return (
    <Button leftSection={<IconUserPlus size={16} />} onClick={() => onOpen('invite')}>
      {t('members.invite')}
    </Button>
  );
}

function AccessControl({ wg }: { wg: string }) {
  return (
    <div className={classesOfRules.page}>
      <AccessControlNote />
      <RulesSection />
      <WhySection />
      <RolesSection onChanged={() => void rulesChanged(wg)} />
    </div>
  );
}
