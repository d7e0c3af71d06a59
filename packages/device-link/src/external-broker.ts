import { type AckMessage, stateMessage } from '@albedo/contract/link/link.messages';
import {
  type DownChannel,
  isUnsharded,
  parseTopic,
  shardOf,
  topicFilters,
  topicOf,
  UNSHARDED_FILTER,
  UP_CHANNELS,
} from '@albedo/contract/link/link.topics';
import { connect, type IClientOptions, type MqttClient } from 'mqtt';
import type { DeviceLink, LinkLog, MessageChannel } from './device-link.ts';
import { Handlers } from './handlers.ts';
import { RareLog } from './rare-log.ts';

export interface ExternalBrokerOptions {
  /** `mqtt://` or `mqtts://`, with user and password where the broker wants them. */
  url: string;
  /** Who this process is to the broker; each place has a name and a certificate of its own. */
  identity: (place: number) => Promise<BrokerIdentity>;
  /** Authorities to verify the broker's certificate with, PEM; the system's own when absent. */
  caPem?: string[];
  /**
   * Why a device is not listened to; null for one that is. The broker may let those with a revoked certificate speak until it
   * has read the list again.
   */
  refusalOf?: (device: string) => string | null;
  /** How long a device may be online by hearsay, ms. */
  unheardMs?: number;
  log: LinkLog;
}

export interface BrokerIdentity {
  clientId: string;
  /** Certificate to show the broker. */
  certPem?: string;
  keyPem?: string;
}

const CONNECT_TIMEOUT_MS = 10_000;
/**
 * What the broker says of who is online was true when it was written; a device of which nothing is heard for so long
 * after the connection began is not there. Devices report every 10 s and may take 30 s to find a broker again.
 */
const UNHEARD_MS = 45_000;
/** How long a broker may take to answer what it is sent. */
const PATIENCE_MS = 3000;
const SUBSCRIBE_MS = 10_000;
/** Devices of which nothing is heard are looked for no more often than this, ms. */
const SWEEP_MS = 100;
/** Shards of one subscription, which is one packet. */
const SUBSCRIBED_AT_ONCE = 64;
/** Devices that are asked to send again do so within this, not all at once, ms. */
const AGAIN_WITHIN_MS = 300;

/**
 * A broker at an address. That a device speaks only for itself is the broker's duty there (deploy/mosquitto), and so
 * is ending the connection of a revoked one, which is not listened to meanwhile. Presence comes from the retained
 * `state` and the will of each agent, and from what it says.
 *
 * The broker keeps nothing for a process that is away: another one may have its devices by then. Whoever begins to
 * listen asks the devices that are online to send again what nobody has acknowledged.
 */
export function externalBroker(options: ExternalBrokerOptions): DeviceLink {
  return new External(options);
}

class External implements DeviceLink {
  readonly #options: ExternalBrokerOptions;
  readonly #handlers: Handlers;
  readonly #rare = new RareLog();
  /** Session of the connection that each device last came online with. */
  readonly #sessions = new Map<string, string>();
  readonly #shards = new Set<string>();
  /** Devices that are online by hearsay, and since when (performance time, ms). */
  readonly #unheard = new Map<string, number>();
  #sweepTimer: NodeJS.Timeout | null = null;
  readonly reachesAll = true;
  #client: MqttClient | null = null;

  constructor(options: ExternalBrokerOptions) {
    this.#options = options;
    this.#handlers = new Handlers(options.log);
  }

  onMessage = (handler: Parameters<DeviceLink['onMessage']>[0]) => this.#handlers.onMessage(handler);
  onPresence = (handler: Parameters<DeviceLink['onPresence']>[0]) => this.#handlers.onPresence(handler);
  online = () => this.#handlers.online();
  /** The connection is the broker's. */
  addressOf = () => null;

  get isConnected(): boolean {
    return this.#client?.connected ?? false;
  }

  async start(place = 1): Promise<void> {
    const { log, url, identity } = this.#options;
    const at = new URL(url).host;
    const client = connect(clientOptions(this.#options, await identity(place)));
    this.#client = client;
    let isBack = false;
    client.on('connect', () => {
      if (isBack) void this.#cameBack();
      isBack = true;
    });
    client.on('message', (topic, payload, { retain }) => this.#take(topic, payload, retain));
    client.on('error', (err) => {
      if (this.#rare.pass(err.message)) log.error({ err }, `the MQTT broker at ${at} has a fault`);
    });
    client.on('close', () => {
      if (!client.disconnecting && this.#rare.pass('close'))
        log.warn(
          {},
          `not connected to the MQTT broker at ${at}: it is away, or another process took the session`,
        );
    });
    await firstConnect(client, at).catch(async (error) => {
      await client.endAsync(true);
      throw error;
    });
    log.info({ broker: at }, 'device link uses a broker');
  }

  async stop(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    if (this.#sweepTimer) clearTimeout(this.#sweepTimer);
    this.#sweepTimer = null;
    // Without force the client waits for answers that a broker which is gone never gives.
    if (client) await within(PATIENCE_MS, client.endAsync()).catch(() => client.endAsync(true));
  }

  async listen(shards: readonly string[]): Promise<void> {
    for (const shard of shards) this.#shards.add(shard);
    await this.#subscribe(shards);
  }

  async ignore(meant: readonly string[]): Promise<void> {
    const shards = meant.filter((shard) => this.#shards.delete(shard));
    const isMeant = (device: string) => shards.includes(shardOf(device));
    this.#handlers.forget(isMeant);
    for (const known of [this.#sessions, this.#unheard])
      for (const device of known.keys()) if (isMeant(device)) known.delete(device);
    const client = this.#client;
    // What still comes is dropped, so nobody need wait for the broker's answer.
    if (client?.connected && shards.length > 0)
      void within(PATIENCE_MS, client.unsubscribeAsync(shards.flatMap(topicFilters))).catch(() => {});
  }

  async publish(device: string, channel: DownChannel, payload: Buffer | string): Promise<boolean> {
    // Nothing is queued for a broker that is away: acks come again, and requests are for now or never.
    if (!this.#client?.connected) return false;
    const sent = this.#client.publishAsync(topicOf(device, channel), payload, { qos: 1 });
    return within(PATIENCE_MS, sent).then(
      () => true,
      () => false,
    );
  }

  async disconnect(device: string): Promise<void> {
    this.#options.log.info(
      { device },
      'what the device sends is dropped from here on; the broker ends its connection after it has read crl.pem (SIGHUP)',
    );
    this.#sessions.delete(device);
    this.#handlers.presence(device, false);
  }

  /**
   * The broker may never have ended its connection: it tells again what it remembers of the devices of the shard, and the device
   * is asked to speak, since not every broker tells it a second time.
   */
  async readmit(device: string): Promise<void> {
    const shard = shardOf(device);
    if (!this.#shards.has(shard) || !this.#client?.connected) return;
    this.#askAgain(device);
    await this.#subscribe([shard]);
  }

  /** The broker reads the list from its own file. */
  replaceRevocations(): void {}

  #take(topic: string, payload: Buffer, isRetained: boolean): void {
    const to = parseTopic(topic);
    const channel = UP_CHANNELS.find((one) => one === to?.channel);
    if (!to || !channel) {
      if (isUnsharded(topic)) this.#tellOld(topic);
      return;
    }
    if (!this.#shards.has(shardOf(to.device))) return;
    const refusal = this.#options.refusalOf?.(to.device) ?? null;
    if (refusal !== null) {
      if (this.#rare.pass(`${to.device} ${refusal}`))
        this.#options.log.warn({ device: to.device }, `a device is not listened to: ${refusal}`);
      return;
    }
    if (channel === 'state') {
      this.#takeState(to.device, payload, isRetained);
      return;
    }
    // Whoever speaks is there, whatever was heard of it, or missed.
    if (!isRetained) {
      this.#unheard.delete(to.device);
      this.#handlers.presence(to.device, true);
    }
    this.#handlers.message(to.device, channel as MessageChannel, payload);
  }

  #tellOld(topic: string): void {
    if (!this.#rare.pass(topic)) return;
    this.#options.log.warn(
      { topic },
      'the agent of a device is too old for this cloud: it knows no shards; install it again from its pack',
    );
  }

  /** A retained state is what the broker remembers; any other one is said just now. */
  #takeState(device: string, payload: Buffer, isRetained: boolean): void {
    const message = readState(payload);
    if (!message) {
      if (payload.length > 0 && this.#rare.pass(device))
        this.#options.log.warn({ device }, 'a device published a state that is none');
      return;
    }
    const current = this.#sessions.get(device);
    // The will of a connection that was taken over comes after the new one is there.
    if (message.state === 'offline' && current !== undefined && message.session !== current) return;
    if (message.state === 'online') this.#sessions.set(device, message.session);
    else this.#sessions.delete(device);
    if (isRetained && message.state === 'online') {
      this.#byHearsay(device);
      this.#askAgain(device);
    }
    this.#handlers.presence(device, message.state === 'online');
  }

  /** What the device has sent may have reached nobody; it sends again what is not acknowledged. */
  #askAgain(device: string): void {
    const pauseMs = Math.floor(Math.random() * AGAIN_WITHIN_MS);
    const again: AckMessage = { outbox: '', ranges: [], gaps: [], pauseMs, isNewListener: true };
    void this.publish(device, 'ack', JSON.stringify(again));
  }

  /** The broker was away, and has forgotten what we listen to. */
  async #cameBack(): Promise<void> {
    for (const device of this.#handlers.online()) this.#byHearsay(device);
    try {
      await this.#subscribe([...this.#shards]);
    } catch (err) {
      this.#options.log.error({ err }, 'nothing is heard of devices; the connection begins anew');
      this.#client?.reconnect();
    }
  }

  async #subscribe(shards: readonly string[]): Promise<void> {
    const client = this.#client;
    if (!client) throw new Error('the device link is not started');
    for (let at = 0; at < shards.length; at += SUBSCRIBED_AT_ONCE) {
      const some = shards.slice(at, at + SUBSCRIBED_AT_ONCE).flatMap(topicFilters);
      const filters = at === 0 ? [...some, UNSHARDED_FILTER] : some;
      const granted = await within(SUBSCRIBE_MS, client.subscribeAsync(filters, { qos: 1 }));
      const refused = granted.filter(({ qos }) => qos > 2).map(({ topic }) => topic);
      if (refused.length > 0)
        throw new Error(`The MQTT broker does not let Albedo subscribe to ${refused.join(', ')}.`);
    }
  }

  /** A broker that was killed together with a device never publishes its will, and keeps its `online` for ever. */
  #byHearsay(device: string): void {
    this.#unheard.set(device, performance.now());
    this.#sweepLater();
  }

  #sweepLater(): void {
    const [since] = this.#unheard.values();
    if (since === undefined || this.#sweepTimer) return;
    const dueMs = since + (this.#options.unheardMs ?? UNHEARD_MS) - performance.now();
    this.#sweepTimer = setTimeout(() => this.#sweep(), Math.max(SWEEP_MS, dueMs));
  }

  #sweep(): void {
    this.#sweepTimer = null;
    const dueAt = performance.now() - (this.#options.unheardMs ?? UNHEARD_MS);
    for (const [device, since] of this.#unheard) {
      if (since > dueAt) continue;
      this.#unheard.delete(device);
      this.#sessions.delete(device);
      this.#handlers.presence(device, false);
    }
    this.#sweepLater();
  }
}

function readState(payload: Buffer) {
  try {
    return stateMessage.safeParse(JSON.parse(payload.toString('utf8'))).data ?? null;
  } catch {
    // Not JSON, so it is no state either.
    return null;
  }
}

/** Rejects when the work takes longer. */
async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`no answer within ${limitMs} ms`)), limitMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function firstConnect(client: MqttClient, at: string): Promise<void> {
  return new Promise((done, fail) => {
    let reason = `no answer within ${CONNECT_TIMEOUT_MS / 1000} s`;
    const timer = setTimeout(
      () => fail(new Error(`The MQTT broker at ${at} cannot be used: ${reason}.`)),
      CONNECT_TIMEOUT_MS,
    );
    client.once('connect', () => {
      clearTimeout(timer);
      done();
    });
    client.once('error', (error) => {
      reason = error.message || String((error as NodeJS.ErrnoException).code);
      clearTimeout(timer);
      fail(new Error(`The MQTT broker at ${at} cannot be used: ${reason}.`));
    });
  });
}

/** The address in parts: a client that is given it as one text parses it in a way that Node warns about. */
function clientOptions(options: ExternalBrokerOptions, identity: BrokerIdentity): IClientOptions {
  const url = new URL(options.url);
  const isTls = url.protocol === 'mqtts:';
  return {
    protocol: isTls ? 'mqtts' : 'mqtt',
    // An IPv6 address stands in brackets in a URL, and without them everywhere else.
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || (isTls ? 8883 : 1883),
    ...(url.username && { username: decodeURIComponent(url.username) }),
    ...(url.password && { password: decodeURIComponent(url.password) }),
    ...(isTls && options.caPem && { ca: options.caPem }),
    ...(isTls && identity.certPem && identity.keyPem && { cert: identity.certPem, key: identity.keyPem }),
    clientId: identity.clientId,
    protocolVersion: 5,
    clean: true,
    keepalive: 30,
    reconnectPeriod: 1000,
    connectTimeout: CONNECT_TIMEOUT_MS,
    resubscribe: false,
  };
}
