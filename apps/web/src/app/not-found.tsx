import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Message } from '../ui/message.tsx';

export function NotFoundPage() {
  return <NotFound isInside={false} />;
}

/** In place of a screen, where the menu stays. */
export function NotFoundInside() {
  return <NotFound isInside />;
}

function NotFound({ isInside }: { isInside: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <Message
      isInside={isInside}
      title={t('notFound.title')}
      text={t('notFound.text')}
      action={{ label: t('notFound.home'), onClick: () => void navigate({ to: '/' }) }}
    />
  );
}
