import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announced } from '../../app/inside.ts';
import { Message } from '../../ui/message.tsx';

/** In place of every screen of a workgroup that the provider closed. */
export function SuspendedScreen({ displayName }: { displayName: string }) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const [support] = announced('support');
  return (
    <>
      <Message
        isInside
        title={t('workgroup.suspended.title')}
        text={t('workgroup.suspended.text', { name: displayName })}
        action={{ label: t('menu.support'), onClick: () => setAsking(true) }}
      />
      {isAsking && support ? (
        <Suspense>
          <support.Content onClose={() => setAsking(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
