import { notificationsApi } from '@albedo/contract/notifications/notifications.api';
import type {
  NewChannel,
  NewEscalation,
  NewHeartbeat,
  NewRota,
  SavedChannel,
} from '@albedo/contract/notifications/notifications.schema';
import { watchesApi } from '@albedo/contract/watches/watches.api';
import type { NewWatch, Watch } from '@albedo/contract/watches/watches.schema';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { followList, unlessTold } from '../../app/live-list.ts';
import { queryClient } from '../../app/query-client.ts';

const KEYS = {
  channels: 'notify-channels',
  escalations: 'escalations',
  rotas: 'rotas',
  watches: 'watches',
} as const;
followList('notify-channels', [KEYS.channels, 'notify-deliveries']);
followList('escalations', [KEYS.escalations]);
followList('rotas', [KEYS.rotas]);

const changed = (key: string, wg: string) => queryClient.invalidateQueries({ queryKey: [key, wg] });

export const channelsQuery = (wg: string) =>
  queryOptions({
    queryKey: [KEYS.channels, wg],
    queryFn: ({ signal }) => call(notificationsApi.channels, { params: { wg } }, signal),
    refetchInterval: unlessTold(60_000),
  });

export const escalationsQuery = (wg: string) =>
  queryOptions({
    queryKey: [KEYS.escalations, wg],
    queryFn: ({ signal }) => call(notificationsApi.escalations, { params: { wg } }, signal),
    refetchInterval: unlessTold(60_000),
  });

/** With who is on call now, so it is asked for now and then. */
export const rotasQuery = (wg: string) =>
  queryOptions({
    queryKey: [KEYS.rotas, wg],
    queryFn: ({ signal }) => call(notificationsApi.rotas, { params: { wg } }, signal),
    refetchInterval: 60_000,
  });

export const heartbeatQuery = (wg: string) =>
  queryOptions({
    queryKey: ['notify-heartbeat', wg],
    queryFn: ({ signal }) => call(notificationsApi.heartbeat, { params: { wg } }, signal),
    refetchInterval: 60_000,
  });

export const deliveriesQuery = (wg: string) =>
  queryOptions({
    queryKey: ['notify-deliveries', wg],
    queryFn: ({ signal }) => call(notificationsApi.deliveries, { params: { wg } }, signal),
    refetchInterval: 30_000,
  });

/** Whom steps and rotas can name. */
export const peopleQuery = (wg: string) =>
  queryOptions({
    queryKey: ['notify-people', wg],
    queryFn: ({ signal }) => call(notificationsApi.people, { params: { wg } }, signal),
  });

export const pushQuery = queryOptions({
  queryKey: ['push'],
  queryFn: ({ signal }) => call(notificationsApi.push, {}, signal),
});

export const watchesQuery = (wg: string) =>
  queryOptions({
    queryKey: [KEYS.watches, wg],
    queryFn: ({ signal }) => call(watchesApi.list, { params: { wg } }, signal),
  });

export async function saveChannel(wg: string, id: string | null, body: NewChannel): Promise<SavedChannel> {
  const saved =
    id === null
      ? await call(notificationsApi.createChannel, { params: { wg }, body })
      : await call(notificationsApi.updateChannel, { params: { wg, channel: id }, body });
  await changed(KEYS.channels, wg);
  return saved;
}

export async function removeChannel(wg: string, channel: string): Promise<void> {
  await call(notificationsApi.removeChannel, { params: { wg, channel } });
  await changed(KEYS.channels, wg);
}

export async function testChannel(wg: string, channel: string) {
  const ended = await call(notificationsApi.testChannel, { params: { wg, channel } });
  await changed(KEYS.channels, wg);
  return ended;
}

export async function saveEscalation(wg: string, id: string | null, body: NewEscalation): Promise<void> {
  if (id === null) await call(notificationsApi.createEscalation, { params: { wg }, body });
  else await call(notificationsApi.updateEscalation, { params: { wg, escalation: id }, body });
  await changed(KEYS.escalations, wg);
}

export async function removeEscalation(wg: string, escalation: string): Promise<void> {
  await call(notificationsApi.removeEscalation, { params: { wg, escalation } });
  await changed(KEYS.escalations, wg);
}

export async function saveRota(wg: string, id: string | null, body: NewRota): Promise<void> {
  if (id === null) await call(notificationsApi.createRota, { params: { wg }, body });
  else await call(notificationsApi.updateRota, { params: { wg, rota: id }, body });
  await changed(KEYS.rotas, wg);
}

export async function removeRota(wg: string, rota: string): Promise<void> {
  await call(notificationsApi.removeRota, { params: { wg, rota } });
  await changed(KEYS.rotas, wg);
}

export async function saveHeartbeat(wg: string, body: NewHeartbeat): Promise<void> {
  const saved = await call(notificationsApi.setHeartbeat, { params: { wg }, body });
  queryClient.setQueryData(heartbeatQuery(wg).queryKey, saved);
}

export async function follow(wg: string, body: NewWatch): Promise<Watch> {
  const watch = await call(watchesApi.create, { params: { wg }, body });
  await changed(KEYS.watches, wg);
  return watch;
}

export async function unfollow(wg: string, watch: string): Promise<void> {
  await call(watchesApi.remove, { params: { wg, watch } });
  await changed(KEYS.watches, wg);
}
