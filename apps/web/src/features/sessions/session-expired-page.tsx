import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Message } from '../../ui/message.tsx';

export function SessionExpiredPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { redirect } = useSearch({ from: '/session-expired' });
  return (
    <Message
      title={t('sessionExpired.title')}
      text={t('sessionExpired.text')}
      action={{
        label: t('sessionExpired.again'),
        onClick: () => void navigate({ to: '/login', search: redirect ? { redirect } : {} }),
      }}
    />
  );
}
