import { useLocation, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { landing } from '../../app/base.ts';
import { Message } from '../../ui/message.tsx';

/** A page of the product that has no screen: says so, and who to ask. */
export function NoScreenPage() {
  const { pathname: path } = useLocation();
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <Message
      isInside
      title={t('missing.noScreenTitle')}
      text={`${t('missing.noScreen', { path })} ${t('missing.noScreenAsk')}`}
      action={{ label: t('missing.start'), onClick: () => void landing().then((href) => navigate({ href })) }}
    />
  );
}
