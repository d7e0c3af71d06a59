import { stateMessage } from '@albedo/contract/link/link.messages';
import {
  type DownChannel,
  isUnsharded,
  parseTopic,
  SHARDS,
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
  /** Names the session of this process at the broker; another process needs another name. */
  clientId: string;
  /** Authorities to verify the broker's certificate with, PEM; the system's own when absent. */
  caPem?: string[];
  /** Certificate to show the broker. */
  certPem?: string;
  keyPem?: string;
  /** Devices whose certificate was revoked: the broker may let them speak until it has read the list again. */
  isRevoked?: (device: string) => boolean;
  /** How long a device may be online by hearsay, ms. */
  unheardMs?: number;
  log: LinkLog;
}

const CONNECT_TIMEOUT_MS = 10_000;
const SESSION_S = 3600;
/**
 * What the broker says of who is online was true when it was written; a device of which nothing is heard for so long
 * after the connection began is not there. Devices report every 10 s and may take 30 s to find a broker again.
 */
const UNHEARD_MS = 45_000;
/** How long a broker may take to answer what it is sent. */
const PATIENCE_MS = 3000;

/**
 * A broker at an address. That a device speaks only for itself is the broker's duty there (deploy/mosquitto), and so
 * is ending the connection of a revoked one, which is not listened to meanwhile. Presence comes from the retained `state` and the will of each agent.
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
  /** Devices that are online by hearsay since the connection began. */
  readonly #unheard = new Set<string>();
  #unheardTimer: NodeJS.Timeout | null = null;
  #client: MqttClient | null = null;

  constructor(options: ExternalBrokerOptions) {
    this.#options = options;
    this.#handlers = new Handlers(options.log);
  }

  onMessage = (handler: Parameters<DeviceLink['onMessage']>[0]) => this.#handlers.onMessage(handler);
  onPresence = (handler: Parameters<DeviceLink['onPresence']>[0]) => this.#handlers.onPresence(handler);
  online = () => this.#handlers.online();

  async start(): Promise<void> {
    const { log, url } = this.#options;
    const at = new URL(url).host;
    const client = connect(clientOptions(this.#options));
    this.#client = client;
    client.on('connect', () => this.#listenForAll());
    client.on('message', (topic, payload) => this.#take(topic, payload));
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
    const granted = await client.subscribeAsync([...SHARDS.flatMap(topicFilters), UNSHARDED_FILTER], {
      qos: 1,
    });
    const refused = granted.filter(({ qos }) => qos > 2).map(({ topic }) => topic);
    if (refused.length > 0) {
      await client.endAsync(true);
      throw new Error(`The MQTT broker at ${at} does not let Albedo subscribe to ${refused.join(', ')}.`);
    }
    log.info({ broker: at }, 'device link uses a broker');
  }

  async stop(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    if (this.#unheardTimer) clearTimeout(this.#unheardTimer);
    // Without force the client waits for answers that a broker which is gone never gives.
    if (client) await within(PATIENCE_MS, client.endAsync()).catch(() => client.endAsync(true));
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

  /** The broker reads the list from its own file. */
  replaceRevocations(): void {}

  #take(topic: string, payload: Buffer): void {
    const to = parseTopic(topic);
    const channel = UP_CHANNELS.find((one) => one === to?.channel);
    if (!to || !channel) {
      if (isUnsharded(topic)) this.#tellOld(topic);
      return;
    }
    if (this.#options.isRevoked?.(to.device)) {
      if (this.#rare.pass(`revoked ${to.device}`))
        this.#options.log.warn(
          { device: to.device },
          'a device whose certificate was revoked is not listened to',
        );
      return;
    }
    if (channel !== 'state') this.#unheard.delete(to.device);
    if (channel === 'state') this.#takeState(to.device, payload);
    else this.#handlers.message(to.device, channel as MessageChannel, payload);
  }

  #tellOld(topic: string): void {
    if (!this.#rare.pass(topic)) return;
    this.#options.log.warn(
      { topic },
      'the agent of a device is too old for this cloud: it knows no shards; install it again from its pack',
    );
  }

  #takeState(device: string, payload: Buffer): void {
    const message = readState(payload);
    if (!message) {
      if (this.#rare.pass(device))
        this.#options.log.warn({ device }, 'a device published a state that is none');
      return;
    }
    const current = this.#sessions.get(device);
    // The will of a connection that was taken over comes after the new one is there.
    if (message.state === 'offline' && current !== undefined && message.session !== current) return;
    if (message.state === 'online') this.#sessions.set(device, message.session);
    else this.#sessions.delete(device);
    if (this.#unheardTimer && message.state === 'online') this.#unheard.add(device);
    this.#handlers.presence(device, message.state === 'online');
  }

  /** A broker that was killed together with a device never publishes its will, and keeps its `online` for ever. */
  #listenForAll(): void {
    for (const device of this.#handlers.online()) this.#unheard.add(device);
    if (this.#unheardTimer) clearTimeout(this.#unheardTimer);
    this.#unheardTimer = setTimeout(() => {
      this.#unheardTimer = null;
      const gone = [...this.#unheard];
      this.#unheard.clear();
      for (const device of gone) {
        this.#sessions.delete(device);
        this.#handlers.presence(device, false);
      }
    }, this.#options.unheardMs ?? UNHEARD_MS);
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
function clientOptions(options: ExternalBrokerOptions): IClientOptions {
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
    ...(isTls && options.certPem && options.keyPem && { cert: options.certPem, key: options.keyPem }),
    clientId: options.clientId,
    // What devices send while this process starts again waits at the broker; a name that never comes back is forgotten.
    protocolVersion: 5,
    clean: false,
    properties: { sessionExpiryInterval: SESSION_S },
    keepalive: 30,
    reconnectPeriod: 1000,
    connectTimeout: CONNECT_TIMEOUT_MS,
    resubscribe: true,
  };
}
