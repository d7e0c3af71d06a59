import { webhooksApi } from '@albedo/contract/webhooks/webhooks.api';
import type { NewWebhook, SavedWebhook, WebhookTest } from '@albedo/contract/webhooks/webhooks.schema';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { followList, unlessTold } from '../../app/live-list.ts';
import { queryClient } from '../../app/query-client.ts';

const [WEBHOOKS, MESSAGES] = ['webhooks', 'webhook-messages'];
followList('webhooks', [WEBHOOKS, MESSAGES]);

const changed = (wg: string) =>
  Promise.all([WEBHOOKS, MESSAGES].map((key) => queryClient.invalidateQueries({ queryKey: [key, wg] })));

export const webhooksQuery = (wg: string) =>
  queryOptions({
    queryKey: [WEBHOOKS, wg],
    queryFn: ({ signal }) => call(webhooksApi.list, { params: { wg } }, signal),
    refetchInterval: unlessTold(30_000),
  });

/** The messages to a webhook. The server does not announce deliveries, so they are polled. */
export const messagesQuery = (wg: string, webhook: string) =>
  queryOptions({
    queryKey: [MESSAGES, wg, webhook],
    queryFn: ({ signal }) => call(webhooksApi.deliveries, { params: { wg, webhook } }, signal),
    refetchInterval: 10_000,
  });

export async function saveWebhook(wg: string, id: string | null, body: NewWebhook): Promise<SavedWebhook> {
  const saved =
    id === null
      ? await call(webhooksApi.create, { params: { wg }, body })
      : await call(webhooksApi.update, { params: { wg, webhook: id }, body });
  await changed(wg);
  return saved;
}

export async function removeWebhook(wg: string, webhook: string): Promise<void> {
  await call(webhooksApi.remove, { params: { wg, webhook } });
  await changed(wg);
}

export async function renewSecret(wg: string, webhook: string): Promise<SavedWebhook> {
  const saved = await call(webhooksApi.renewSecret, { params: { wg, webhook } });
  await changed(wg);
  return saved;
}

export const testWebhook = (wg: string, webhook: string): Promise<WebhookTest> =>
  call(webhooksApi.test, { params: { wg, webhook } });

export async function sendAgain(wg: string, webhook: string, delivery: string): Promise<void> {
  await call(webhooksApi.again, { params: { wg, webhook, delivery } });
  await changed(wg);
}
