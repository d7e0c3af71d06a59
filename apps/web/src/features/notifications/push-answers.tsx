import { incidentsApi } from '@albedo/contract/incidents/incidents.api';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../app/call.ts';
import { notifyDone, notifyFailure } from '../../app/notify.ts';
import { queryClient } from '../../app/query-client.ts';
import { onSignOut } from '../../app/session.ts';

interface Answer {
  kind: 'acknowledge';
  workgroup: string;
  incident: string;
}

const isAnswer = (data: unknown): data is Answer =>
  (data as Partial<Answer> | null)?.kind === 'acknowledge' &&
  typeof (data as Answer).workgroup === 'string' &&
  typeof (data as Answer).incident === 'string';

/**
 * Acknowledges what somebody acknowledged in a notice of the browser. The worker has no session: it hands the answer to the
 * app, which asks as the person who is signed in here.
 */
export function PushAnswers() {
  const { t } = useTranslation();
  useEffect(
    () =>
      onSignOut((reason) => {
        if (reason === 'asked') void import('./push.ts').then(({ endPushHere }) => endPushHere());
      }),
    [],
  );
  useEffect(() => {
    const worker = navigator.serviceWorker as ServiceWorkerContainer | undefined;
    if (!worker) return;
    const hear = ({ data }: MessageEvent) => {
      if (isAnswer(data)) void acknowledge(data);
    };
    async function acknowledge({ workgroup: wg, incident }: Answer) {
      try {
        await call(incidentsApi.acknowledge, { params: { wg, incident } });
        await queryClient.invalidateQueries({ queryKey: ['incidents'] });
        notifyDone(t('notifications.push.acknowledged'));
      } catch (error) {
        notifyFailure(t('notifications.push.notAcknowledged'), error);
      }
    }
    worker.addEventListener('message', hear);
    // What was pressed before the app was there.
    worker.controller?.postMessage({ kind: 'ready' });
    return () => worker.removeEventListener('message', hear);
  }, [t]);
  return null;
}
