import { randomUUID } from 'node:crypto';
import type { RequestMessage } from '@albedo/contract/link/link.messages';
import { SHARDS } from '@albedo/contract/link/link.topics';
import type { DeviceLink as Link } from '@albedo/device-link/device-link';
import type { RedisClientType } from 'redis';
import type { Bus } from '../bus/bus.ts';
import type { Config } from '../config/config.ts';
import { addressAsked, addressTold, requestAsked } from './device-link.topics.ts';

/** What several processes hear is remembered for so long, s. */
const ASKED_S = 60;
/** Another process says within this from where a device is connected, ms. */
const ADDRESS_MS = 3000;

/** How the cloud speaks with devices. A process that takes nothing in has no link of its own and asks the others. */
export class DeviceLink {
  readonly #config: Config;
  readonly #bus: Bus;
  readonly #redis: RedisClientType | null;
  readonly #listens = Promise.withResolvers<void>();
  /** Null where this process takes nothing in. */
  readonly link: Link | null;

  constructor(of: { config: Config; bus: Bus; link: Link | null; redis: RedisClientType | null }) {
    this.#redis = of.redis;
    this.#config = of.config;
    this.#bus = of.bus;
    this.link = of.link;
  }

  /** Over once this process takes what devices send; at once where it never does. */
  get listens(): Promise<void> {
    return this.link ? this.#listens.promise : Promise.resolve();
  }

  /** Port of the embedded broker, once it listens; null without one. */
  get port(): number | null {
    return this.link && 'port' in this.link ? Number(this.link.port) : null;
  }

  /** Host and port by which agents reach the broker. */
  get address(): { hostname: string; port: number } {
    const { mqttUrl, mqttPublicHost, mqttPort } = this.#config;
    if (mqttUrl === null) return { hostname: mqttPublicHost, port: this.port ?? mqttPort };
    const url = new URL(mqttUrl);
    return { hostname: url.hostname, port: Number(url.port) || 8883 };
  }

  /** Sends a request to a device; false when it is known not to listen. */
  async ask(device: string, request: RequestMessage): Promise<boolean> {
    if (this.link) return this.link.publish(device, 'request', JSON.stringify(request));
    void this.#bus.publish(requestAsked, { id: randomUUID(), device, request });
    return true;
  }

  /**
   * The address that a device is connected from now, whichever process has its connection; null where it is not connected,
   * and with a broker at an address, which does not say.
   */
  async addressOf(device: string): Promise<string | null> {
    const own = this.link?.addressOf(device) ?? null;
    if (own !== null || this.#config.mqttUrl !== null || !this.#bus.isShared) return own;
    const id = randomUUID();
    const { promise, resolve } = Promise.withResolvers<string | null>();
    const stop = this.#bus.subscribe(addressTold, (told) => told.id === id && resolve(told.address));
    const timer = setTimeout(() => resolve(null), ADDRESS_MS);
    void this.#bus.publish(addressAsked, { id, device });
    return promise.finally(() => {
      clearTimeout(timer);
      stop();
    });
  }

  /** Of several processes that can reach a device, one sends: a command must not run twice. */
  async isFirst(id: string): Promise<boolean> {
    const asked = this.#redis?.set(`albedo:ask:${id}`, '', { NX: true, EX: ASKED_S });
    return asked === undefined || (await asked) !== null;
  }

  /** Takes what devices send from here on: of all of them, or as `begin` takes their shards. */
  async listen(begin = () => this.#listenToAll()): Promise<void> {
    try {
      await begin();
      this.#listens.resolve();
    } catch (error) {
      const why = (error as Error).message;
      throw new Error(`the device link cannot start (ALBEDO_MQTT_PORT, MQTT_URL): ${why}`, { cause: error });
    }
  }

  async #listenToAll(): Promise<void> {
    await this.link?.start();
    await this.link?.listen(SHARDS);
  }
}
