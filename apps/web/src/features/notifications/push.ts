import { notificationsApi } from '@albedo/contract/notifications/notifications.api';
import type { PushState } from '@albedo/contract/notifications/notifications.schema';
import { call } from '../../app/call.ts';
import { queryClient } from '../../app/query-client.ts';
import { pushQuery } from './notifications.queries.ts';

/** Why push messages cannot reach this browser; null where they can. */
export type PushLack = 'unsupported' | 'denied' | 'notReady';

export async function pushLack(): Promise<PushLack | null> {
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window))
    return 'unsupported';
  if (Notification.permission === 'denied') return 'denied';
  // The worker comes a few seconds after the app.
  return (await navigator.serviceWorker.getRegistration()) ? null : 'notReady';
}

const keep = (state: PushState) => queryClient.setQueryData(pushQuery.queryKey, state);

/** Asks the person, subscribes this browser, and tells the server. Throws where the person or the browser refuses. */
export async function subscribeHere(publicKey: string): Promise<void> {
  const registration = await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  const { endpoint, keys } = subscription.toJSON();
  const body = {
    endpoint: endpoint ?? '',
    keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' },
    label: browserName(),
  };
  keep(await call(notificationsApi.subscribe, { body }));
}

/** Ends push messages to a browser; in this one the subscription ends as well. */
export async function unsubscribe(id: string, isHere: boolean): Promise<void> {
  keep(await call(notificationsApi.unsubscribe, { params: { subscription: id } }));
  if (!isHere) return;
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}

/** Whoever works here next does not read what is meant for the one before. The push service tells the server that it ended. */
export async function endPushHere(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}

export const testPush = (): Promise<{ sent: number }> => call(notificationsApi.testPush, {});

/** Fingerprint of the subscription of this browser, as the server has it; null where there is none. */
export async function ownFingerprint(): Promise<string | null> {
  if (!('serviceWorker' in navigator) || !('PushManager' in window)) return null;
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  if (!subscription) return null;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(subscription.endpoint));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What a person knows the browser by, such as `Chrome, Android`. */
function browserName(): string {
  const agent = navigator.userAgent;
  const browser = /Edg\//.test(agent)
    ? 'Edge'
    : /Firefox\//.test(agent)
      ? 'Firefox'
      : /Chrome\//.test(agent)
        ? 'Chrome'
        : /Safari\//.test(agent)
          ? 'Safari'
          : 'Browser';
  const system = /Android|iPhone|iPad|Windows|Mac OS|Linux/.exec(agent)?.[0] ?? '';
  return system ? `${browser}, ${system}` : browser;
}
