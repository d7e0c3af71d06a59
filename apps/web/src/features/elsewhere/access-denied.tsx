import { useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { landing } from '../../app/base.ts';
import { type Denial, isDashboardOnly, isRestricted, type Missing, visitorOf } from '../../app/guard.ts';
import { type Session, useSignedIn } from '../../app/session.ts';
import { Message } from '../../ui/message.tsx';
import { localeTag } from '../../ui/units/locale.ts';

/** What is missing, in words, and who can give it. */
export function AccessDeniedPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const denial = useSearch({ from: '/shell/access-denied' });
  const missing = useLocation({ select: ({ state }) => state.missing });
  const text = denialText(t, denial, { missing, session: useSignedIn() });
  return (
    <Message
      isInside
      title={t('accessDenied.title')}
      text={text}
      action={{ label: t('missing.start'), onClick: () => void landing().then((href) => navigate({ href })) }}
    />
  );
}

interface Known {
  missing: Missing | undefined;
  session: Session;
}

function denialText(t: TFunction, { required, addon, label }: Denial, { missing, session }: Known): string {
  const workgroup =
    session.workgroups?.find(({ name }) => name === session.workgroup)?.displayName ?? session.workgroup;
  const list = new Intl.ListFormat(localeTag(), {
    type: required === 'settings' ? 'conjunction' : 'disjunction',
  });
  if (required === 'addons') {
    const name = t(`missing.addons.${addon}`, { defaultValue: addon });
    return `${t('missing.addon', { name, workgroup })} ${t('missing.addonAsk')}`;
  }
  if (required === 'settings') {
    const settings = missing?.settings ?? [];
    const names = list.format(settings.map((one) => t(`missing.setting.${one}`, { defaultValue: one })));
    return `${t('missing.settings', { names, workgroup, count: settings.length })} ${t('missing.settingsAsk')}`;
  }
  if (required === 'access-control') {
    const name = t(`missing.rights.${label}`, { defaultValue: label ?? '' });
    return `${t('missing.rule', { name, workgroup })} ${t('missing.ruleAsk')}`;
  }
  if (required === 'device-group')
    return `${t('missing.deviceGroup', { workgroup })} ${t('missing.roleAsk')}`;
  const permissions = missing?.permissions ?? [];
  const kind = missing?.kind ?? kindOf(session);
  // A limited kind of user lacks the permission for nearly every page: what the kind opens says more.
  if (required === 'permission' && (permissions.length > 0 || !kind)) {
    const names = list.format(permissions.map((one) => t(`members.permission.${one}`)));
    return `${t('missing.permissions', { names, workgroup, count: permissions.length })} ${t('missing.permissionsAsk')}`;
  }
  if (!kind) return `${t('accessDenied.text')} ${t('missing.roleAsk')}`;
  return `${t(`missing.${kind}`, { workgroup })} ${t(kind === 'staff' ? 'missing.staffAsk' : 'missing.roleAsk')}`;
}

/** When somebody typed the address, only the kind of user is known. */
function kindOf(session: Session): Missing['kind'] {
  const visitor = visitorOf(session);
  if (!visitor) return null;
  if (isDashboardOnly(visitor.scope)) return 'dashboardOnly';
  return isRestricted(visitor) ? 'restricted' : null;
}
