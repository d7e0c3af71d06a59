import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Message } from '../ui/message.tsx';

export function AccessDeniedPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { required, addon } = useSearch({ from: '/shell/access-denied' });
  return (
    <Message
      title={t('accessDenied.title')}
      text={required ? t(`accessDenied.${required}`, { addon }) : t('accessDenied.text')}
      action={{ label: t('actions.back'), onClick: () => void navigate({ to: '/' }) }}
    />
  );
}
