import type { LatestSource } from '@albedo/contract/devices/devices.schema';
import type { DeviceMeta } from '@albedo/contract/devices/meta.schema';
import type {
  BatchStream,
  LiveMessage,
  ReplyMessage,
  RequestMessage,
} from '@albedo/contract/link/link.messages';
import type { DeviceLink } from '@albedo/device-link/device-link';
import type { Logger } from 'pino';
import type { RedisClientType } from 'redis';
import type { Bus } from '../bus/bus.ts';
import type { Devices } from '../devices/devices.service.ts';
import type { Health } from '../health/health.service.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Feeds } from './feeds.ts';
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

  /** Takes what other processes tell. */
  start(): void {
    const { bus, watches, requests, feeds } = this.#options;
    bus.on<FromDevice<LiveMessage>>('live', ({ device, message }) => feeds.take(device, message));
    bus.on<FromDevice<ReplyMessage>>('reply', ({ device, message }) => requests.takeReply(device, message));
    bus.on<FromDevice<DeviceMeta>>('meta', ({ device, message }) => requests.takeMeta(device, message));
    bus.on<FromDevice<LatestSource[]>>('latest', ({ device, message }) => {
      for (const source of message) watches.takeSource(device, source);
    });
    bus.on<string[]>('watched', (devices) => {
      for (const device of devices) this.#watchedElsewhere.set(device, Date.now() + 3 * WATCHED_MS);
    });
    watches.onWatched((device) => bus.send('watched', [device]));
    if (bus.isShared) this.#timer = setInterval(() => bus.send('watched', watches.devices()), WATCHED_MS);
  }

  /** Takes who comes and goes on the device link of this process, and what its ingest receives. */
  listen(link: DeviceLink, ingest: Ingest): void {
    const { health, feeds, requests, bus } = this.#options;
    const ask = askOver(link);
    bus.on<FromDevice<RequestMessage>>('ask', ({ device, message }) => void ask(device, message));
    link.onPresence((device, online, at) => void this.#presence(device, online, at));
    ingest.onArrival(({ device, streams }) => this.#arrival(device, streams));
    ingest.on('status', (device, status) => health.takeStatus(device, status));
    ingest.on('meta', (device, { meta }) => void this.#meta(device, meta));
    ingest.on('live', (device, message) => {
      feeds.take(device, message);
      bus.send('live', { device, message });
    });
    ingest.on('reply', (device, message) => {
      requests.takeReply(device, message);
      bus.send('reply', { device, message });
    });
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
    else bus.send('latest', { device, message: streams.flatMap((stream) => newestOf(stream) ?? []) });
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
    const { registry, devices, requests, bus, log } = this.#options;
    try {
      const known = await registry.find(device);
      if (!known) return;
      await devices.setMeta(known.workgroup, device, meta);
      requests.takeMeta(device, meta);
      bus.send('meta', { device, message: meta });
    } catch (err) {
      log.error({ err, device }, 'the meta of a device could not be kept');
    }
  }
}

interface FromDevice<Message> {
  device: string;
  message: Message;
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
  async (device, message) => {
    bus.send('ask', { device, message });
    return true;
  };
