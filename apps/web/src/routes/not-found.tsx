import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Message } from '../ui/message.tsx';

export function NotFoundPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <Message
      title={t('notFound.title')}
      text={t('notFound.text')}
      action={{ label: t('notFound.home'), onClick: () => void navigate({ to: '/' }) }}
    />
  );
}
