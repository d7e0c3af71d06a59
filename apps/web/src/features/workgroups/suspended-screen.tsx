import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Message } from '../../ui/message.tsx';

interface SuspendedScreenProps {
  displayName: string;
  /** The form that asks the provider for help. */
  support: (onClose: () => void) => ReactNode;
}

/** In place of every screen of a workgroup that the provider closed. */
export function SuspendedScreen({ displayName, support }: SuspendedScreenProps) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Message
        isInside
        title={t('workgroup.suspended.title')}
        text={t('workgroup.suspended.text', { name: displayName })}
        action={{ label: t('menu.support'), onClick: () => setAsking(true) }}
      />
      {isAsking ? support(() => setAsking(false)) : null}
    </>
  );
}
