import { useLocation, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { landing } from '../../app/base.ts';
import { isDashboardOnly, visitorOf } from '../../app/guard.ts';
import { useSignedIn } from '../../app/session.ts';
import { Message } from '../../ui/message.tsx';

/** A page of the product that has no screen: says so, and who to ask. */
export function NoScreenPage() {
  const { pathname: path } = useLocation();
  const { t } = useTranslation();
  const navigate = useNavigate();
  const session = useSignedIn();
  const visitor = visitorOf(session);
  const workgroup = session.workgroups?.find(({ name }) => name === session.workgroup)?.displayName;
  // Nothing else is open to them: the start page would lead back to here.
  if (visitor && isDashboardOnly(visitor.scope))
    return (
      <Message
        isInside
        title={t('missing.noDashboardsTitle')}
        text={`${t('missing.noDashboards', { workgroup })} ${t('missing.noDashboardsAsk')}`}
        action={{ label: t('missing.toProfile'), onClick: () => void navigate({ to: '/profile' }) }}
      />
    );
  return (
    <Message
      isInside
      title={t('missing.noScreenTitle')}
      text={`${t('missing.noScreen', { path })} ${t('missing.noScreenAsk')}`}
      action={{ label: t('missing.start'), onClick: () => void landing().then((href) => navigate({ href })) }}
    />
  );
}
