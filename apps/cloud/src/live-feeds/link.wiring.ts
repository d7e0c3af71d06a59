import type { DeviceMeta } from '@albedo/contract/devices/meta.schema';
import type { BatchStream, RequestMessage } from '@albedo/contract/link/link.messages';
import type { DeviceLink } from '@albedo/device-link/device-link';
import type { Logger } from 'pino';
import type { RedisClientType } from 'redis';
import type { Bus } from '../bus/bus.ts';
import type { Devices } from '../devices/devices.service.ts';
import type { Health } from '../health/health.service.ts';
import { eventsArrived, liveSaid, metaSaid, replySaid, statusSaid } from '../ingest/ingest.topics.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Feeds } from './feeds.ts';
import { devicesWatched, latestTold, metaKept, requestAsked } from './live-feeds.topics.ts';
import type { Requests } from './requests.ts';
import { newestOf, type Watches } from './watches.ts';

/** Another process says this often which devices its people watch; it counts for three times as long. */
const WATCHED_MS = 10_000;

export interface WiringOptions {
  registry: DeviceRegistry;
  health: Health;
  devices: Devices;
  feeds: Feeds;
  requests: Requests;
  watches: Watches;
  bus: Bus;
  redis: RedisClientType | null;
  log: Logger;
}

/**
 * Leads what devices say to the features that live by it (batches go to the ingest), and what several processes must
 * know from one to the other: a device may be connected here while the person who looks at it is connected there.
 */
export class LinkWiring {
  readonly #options: WiringOptions;
  readonly #watchedElsewhere = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;

  constructor(options: WiringOptions) {
    this.#options = options;
  }

  /** Takes what devices say here, and what other processes tell. */
  start(): void {
    const { bus, watches, requests, feeds, health } = this.#options;
    bus.subscribe(statusSaid, ({ device, message }) => health.takeStatus(device, message));
    bus.subscribe(eventsArrived, ({ device, streams }) => this.#arrival(device, streams));
    bus.subscribe(metaSaid, ({ device, message }) => this.#meta(device, message.meta));
    bus.subscribe(liveSaid, ({ device, message }) => feeds.take(device, message));
    bus.subscribe(replySaid, ({ device, message }) => requests.takeReply(device, message));
    bus.subscribe(metaKept, ({ device, meta }) => requests.takeMeta(device, meta));
    bus.subscribe(latestTold, ({ device, sources }, { isOwn }) => {
      if (!isOwn) for (const source of sources) watches.takeSource(device, source);
    });
    bus.subscribe(devicesWatched, (devices, { isOwn }) => {
      if (isOwn) return;
      for (const device of devices) this.#watchedElsewhere.set(device, Date.now() + 3 * WATCHED_MS);
    });
    if (!bus.isShared) return;
    this.#timer = setInterval(() => void bus.publish(devicesWatched, watches.devices()), WATCHED_MS);
  }

  /** Takes who comes and goes on the device link of this process, and asks its devices what others want to know. */
  listen(link: DeviceLink): void {
    const ask = askOver(link);
    this.#options.bus.subscribe(requestAsked, ({ device, request }, { isOwn }) =>
      isOwn ? undefined : ask(device, request),
    );
    link.onPresence((device, online, at) => void this.#presence(device, online, at));
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  #arrival(device: string, streams: BatchStream[]): void {
    const { health, watches, bus } = this.#options;
    health.takeArrival(device, streams);
    watches.take(device, streams);
    const until = this.#watchedElsewhere.get(device);
    if (until === undefined) return;
    if (until < Date.now()) this.#watchedElsewhere.delete(device);
    else {
      const sources = streams.flatMap((stream) => newestOf(stream) ?? []);
      void bus.publish(latestTold, { device, sources });
    }
  }

  async #presence(device: string, online: boolean, at: number): Promise<void> {
    const { registry, health, feeds, log } = this.#options;
    try {
      if (!(await registry.find(device))) return;
      const isFirst = await this.#isFirstToSay(device, online);
      health.setPresence(device, online, at, { isFirst });
      if (online) feeds.renew(device);
    } catch (err) {
      log.error({ err, device }, 'the presence of a device could not be noted');
    }
  }

  /** Of several processes that see a device come or go, one tells. */
  async #isFirstToSay(device: string, online: boolean): Promise<boolean> {
    const { redis } = this.#options;
    if (!redis) return true;
    const state = online ? 'online' : 'offline';
    return (await redis.set(`albedo:presence:${device}`, state, { GET: true })) !== state;
  }

  async #meta(device: string, meta: DeviceMeta): Promise<void> {
    const { registry, devices, bus, log } = this.#options;
    try {
      const known = await registry.find(device);
      if (!known) return;
      await devices.setMeta(known.workgroup, device, meta);
      void bus.publish(metaKept, { device, meta });
    } catch (err) {
      log.error({ err, device }, 'the meta of a device could not be kept');
    }
  }
}

/** Sends a request to a device; false when it is known not to listen. */
export type Ask = (device: string, request: RequestMessage) => Promise<boolean>;

export const askOver =
  (link: DeviceLink): Ask =>
  (device, request) =>
    link.publish(device, 'request', JSON.stringify(request));

/** For a process without a device link: whichever process the device is connected to sends it. */
export const askOthers =
  (bus: Bus): Ask =>
  async (device, request) => {
    void bus.publish(requestAsked, { device, request });
    return true;
  };
