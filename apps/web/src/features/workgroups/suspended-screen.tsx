import { useTranslation } from 'react-i18next';
import { Message } from '../../ui/message.tsx';

/** In place of every screen of a workgroup that the provider closed. */
export function SuspendedScreen({ displayName }: { displayName: string }) {
  const { t } = useTranslation();
  return (
    <Message
      isInside
      title={t('workgroup.suspended.title')}
      text={t('workgroup.suspended.text', { name: displayName })}
    />
  );
}
