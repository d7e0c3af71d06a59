import { randomUUID } from 'node:crypto';
import { MOST_FEEDS } from '@albedo/contract/devices/devices.socket';
import type { LiveMessage } from '@albedo/contract/link/link.messages';
import { seesSource } from '../access/device-scope.ts';
import type { Audit } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { Health } from '../health/health.service.ts';
import type { Feeds, Requests, Watches } from '../live-feeds/live-feeds.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Actions, Refused } from '../sockets/sockets.calls.ts';
import { deviceRoom } from '../sockets/sockets.rooms.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import { visibleMeta } from './devices.scope.ts';

interface Parts {
  registry: DeviceRegistry;
  health: Health;
  feeds: Feeds;
  requests: Requests;
  watches: Watches;
  audit: Audit;
}

/** Answers the socket actions of devices. */
export function devicesSockets(sockets: Sockets, parts: Parts): void {
  watchActions(sockets, parts);
  feedActions(sockets, parts);
  requestActions(sockets, parts);
}

/** A device whose changes a screen shows is watched while it is open. */
function watchActions(sockets: Sockets, { watches }: Pick<Parts, 'watches'>): void {
  const watching = new Map<string, () => void>();

  sockets.on('device:watch', async ({ request, socket }) => {
    const { deviceId, stop } = request;
    const key = `${socket.id} ${deviceId}`;
    watching.get(key)?.();
    if (stop) return {};
    const unwatch = watches.watch(deviceId);
    void socket.join(deviceRoom(deviceId));
    const end = () => {
      unwatch();
      watching.delete(key);
      void socket.leave(deviceRoom(deviceId));
      socket.off('disconnect', end);
    };
    watching.set(key, end);
    socket.once('disconnect', end);
    return {};
  });
}

/** Events of one source as they come. */
function feedActions(sockets: Sockets, { feeds, registry }: Pick<Parts, 'feeds' | 'registry'>): void {
  const openFeeds = new Map<string, { socket: string; count: number; stop: () => void }>();
  /** Throws `request.too_many` for more streams than a socket may have. */
  const begin = (socket: string, count: number, signal: AbortSignal) => {
    const own = [...openFeeds.values()].filter((feed) => feed.socket === socket);
    if (own.reduce((sum, feed) => sum + feed.count, count) > MOST_FEEDS)
      throw new AppError('request.too_many');
    const feedId = randomUUID();
    const over = Promise.withResolvers<void>();
    openFeeds.set(feedId, { socket, count, stop: over.resolve });
    signal.addEventListener('abort', () => over.resolve(), { once: true });
    return { feedId, over: over.promise, end: () => openFeeds.delete(feedId) };
  };

  sockets.on('device:feed', async ({ request, scope, socket, outlet, signal, reply }) => {
    const { deviceId: device, table, source, field } = request;
    const of = { device, table, source, field: field ?? null };
    const { feedId, over, end } = begin(socket.id, 1, signal);
    reply({ feedId, ...of, events: [] });
    // A source that is hidden is as one that does not exist: the feed is there, and nothing comes.
    const isHidden = () => scope.has(device) && !seesSource(scope, device, source);
    const unwatch = feeds.watch({ device, table, source }, (all) =>
      outlet.offer(feedId, () => {
        const events = isHidden() ? [] : only(field, all);
        if (events.length > 0) reply({ feedId, ...of, events });
      }),
    );
    try {
      await over;
    } finally {
      unwatch();
      end();
    }
  });

  sockets.on(
    'device:bulkFeed',
    async ({ request: { streams }, workgroup, scope, socket, outlet, signal, reply }) => {
      const ids = [...new Set(streams.map(({ deviceId }) => deviceId))];
      const known = await Promise.all(ids.map((id) => registry.find(id)));
      if (known.some((device) => device?.workgroup !== workgroup) || ids.some((id) => !scope.has(id)))
        throw new AppError('device.not_found');
      const sees = (id: string, source: string) =>
        registry.known(id)?.workgroup === workgroup && scope.has(id) && seesSource(scope, id, source);
      const { feedId, over, end } = begin(socket.id, streams.length, signal);
      reply({ feedId, samples: [] });
      const unwatch = streams.map(({ deviceId, table, source, field }, index) =>
        feeds.watch({ device: deviceId, table, source }, (all) =>
          outlet.offer(`${feedId} ${index}`, () => {
            // A device or a source that is hidden meanwhile is as one that says nothing.
            const events = sees(deviceId, source) ? only(field, all) : [];
            if (events.length > 0) reply({ feedId, samples: [{ deviceId, table, source, events }] });
          }),
        ),
      );
      try {
        await over;
      } finally {
        for (const stop of unwatch) stop();
        end();
      }
    },
  );

  sockets.on('device:feed:stop', async ({ request, socket }) => {
    const feed = openFeeds.get(request.feedId);
    if (feed?.socket === socket.id) feed.stop();
    return {};
  });
}

/** Events that have a field, with nothing but that. */
const only = (field: string | undefined, events: LiveMessage['events']): LiveMessage['events'] =>
  field === undefined
    ? events
    : events.flatMap(([at, values]) =>
        Object.hasOwn(values, field) ? [[at, { [field]: values[field] ?? null }]] : [],
      );

/** What the device itself answers, so that it has to be online. */
function requestActions(
  sockets: Sockets,
  { health, requests, audit }: Pick<Parts, 'health' | 'requests' | 'audit'>,
): void {
  const record = (
    { request, session, workgroup, address }: Refused<Actions['device:cmd']>,
    status: 'success' | 'failed',
  ) =>
    audit.record({
      workgroup,
      device: request.deviceId,
      at: Date.now(),
      action: 'run',
      controller: 'device_command',
      entity: 'device',
      by: session.email,
      address,
      newValue: request.cmd,
      status,
    });
  sockets.on(
    'device:cmd',
    async (call) => {
      const { deviceId, ...command } = call.request;
      record(call, 'success');
      if (!health.of(deviceId).online) throw new AppError('device.offline');
      const { complete: _complete, ...result } = await requests.command(deviceId, command, call.signal);
      return result;
    },
    (call) => record(call, 'failed'),
  );

  sockets.on('device:refreshMeta', async ({ request, scope, signal }) => {
    const { deviceId } = request;
    if (!health.of(deviceId).online) throw new AppError('device.offline');
    return visibleMeta(scope, deviceId, await requests.meta(deviceId, signal));
  });
}
