import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { getSession, useSession } from '../../app/session.ts';
import { Message } from '../../ui/message.tsx';
import { endSession } from './sessions.queries.ts';

export function LogoutPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const session = useSession();
  useEffect(() => {
    if (getSession()) void endSession();
  }, []);
  // Until the server answered, going to the login would lead straight back into the app.
  if (session) return null;
  return (
    <Message
      title={t('logout.title')}
      text={t('logout.text')}
      action={{ label: t('logout.again'), onClick: () => void navigate({ to: '/login' }) }}
    />
  );
}
