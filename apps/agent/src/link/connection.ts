import { randomUUID } from 'node:crypto';
import {
  DOWN_CHANNELS,
  type DownChannel,
  parseTopic,
  topicOf,
  type UpChannel,
} from '@albedo/contract/link/link.topics';
import { connect, type MqttClient } from 'mqtt';
import type { MqttConfig } from '../config/config.schema.ts';
import { codeOf, type Log, messageOf } from '../log.ts';
import type { Identity, IdentityFiles } from './identity-files.ts';

export interface ConnectionOptions {
  mqtt: MqttConfig;
  identity: IdentityFiles;
  log: Log;
  /** With the id that the certificate gives the device. */
  onOnline: (device: string) => void;
  onOffline: () => void;
  onMessage: (channel: DownChannel, payload: Buffer) => void;
  /** A certificate was not taken, and the one before is in force. */
  onRefused: (message: string) => void;
  /** The broker said anything at all. */
  onHeard: () => void;
}

const KEEPALIVE_S = 15;
const CONNECT_TIMEOUT_MS = 15_000;
const BACKOFF_MIN_MS = 500;
const BACKOFF_MAX_MS = 30_000;
/** A connection that ends sooner counts as a failed attempt: two machines with one identity end each other's. */
const STABLE_MS = 5000;
/** A certificate whose connection lasts so long is the one that the cloud wants, ms. */
const PROVEN_MS = 120_000;

/**
 * The one connection of the agent: MQTT over TLS with the device's certificate, whose common name is the device's id.
 *
 * It connects again for ever, after pauses that grow to 30 s and differ between agents. The files are read at every
 * attempt, so that renewed certificates are taken up. A certificate on trial is tried in turns with the one before it, and
 * the first one that the broker takes stays. One that was taken, and may be what a broker refuses before it has lasted, gives
 * its place back; a network that leads nowhere says nothing about it.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  #wantsBefore = false;
  #proven: NodeJS.Timeout | null = null;
  #client: MqttClient | null = null;
  #shown: Identity | null = null;
  #prefersNext = true;
  #session = '';
  #isOnline = false;
  #isStopped = true;
  #failures = 0;
  #onlineAt = 0;
  #retry: NodeJS.Timeout | null = null;
  /** Why the last attempt failed; null while connected. */
  trouble: string | null = null;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  get isOnline(): boolean {
    return this.#isOnline;
  }

  /** Who this device is by the certificate of the connection; null without one. */
  get identity(): Pick<Identity, 'device' | 'serial'> | null {
    return this.#isOnline ? this.#shown : null;
  }

  get #device(): string {
    return this.#shown?.device ?? '';
  }

  start(): void {
    this.#isStopped = false;
    this.#connect();
  }

  /** Says goodbye and waits at most a second for it. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#retry) clearTimeout(this.#retry);
    const client = this.#client;
    this.#client = null;
    if (!client) return;
    if (this.#isOnline) {
      const said = new Promise<void>((done) => {
        const state = JSON.stringify({ state: 'offline', session: this.#session, at: Date.now() });
        client.publish(topicOf(this.#device, 'state'), state, { qos: 1, retain: true }, () => done());
      });
      await Promise.race([said, new Promise((done) => setTimeout(done, 1000).unref())]);
    }
    this.#wentOffline();
    client.end(true);
  }

  /** False when there is no connection; the message is then gone. */
  publish(
    channel: UpChannel,
    payload: string | Buffer,
    options: { qos?: 0 | 1; retain?: boolean } = {},
  ): boolean {
    if (!this.#client || !this.#isOnline) return false;
    const { qos = 1, retain = false } = options;
    this.#client.publish(topicOf(this.#device, channel), payload, { qos, retain }, (error) => {
      if (error && this.#isOnline)
        this.#options.log.debug(`link: ${channel} was not taken: ${error.message}`);
    });
    return true;
  }

  /** Bytes that the network has not taken yet. */
  get backlogBytes(): number {
    return this.#client?.stream?.writableLength ?? 0;
  }

  #connect(): void {
    const { mqtt, identity, log } = this.#options;
    let files: Identity;
    try {
      files = identity.read(this.#prefersNext, this.#wantsBefore);
    } catch (error) {
      this.#failed(messageOf(error));
      return;
    }
    this.#shown = files;
    this.#session = randomUUID();
    const state = JSON.stringify({ state: 'offline', session: this.#session, at: Date.now() });
    const { ca, cert, key } = files;
    const client = connect({
      ca,
      cert,
      key,
      protocol: 'mqtts',
      host: mqtt.hostname,
      port: mqtt.port,
      protocolVersion: 4,
      clientId: this.#device,
      username: this.#device,
      clean: true,
      keepalive: KEEPALIVE_S,
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectPeriod: 0,
      rejectUnauthorized: true,
      will: { topic: topicOf(this.#device, 'state'), payload: Buffer.from(state), qos: 1, retain: true },
    });
    this.#client = client;
    let reason: string | null = null;
    let isSecure = false;
    let isRefused = false;
    client.stream.once('secureConnect', () => {
      isSecure = true;
    });
    client.on('connect', () => this.#subscribe(client));
    client.on('error', (error) => {
      reason = explain(error);
      isRefused = mayRefuse(error, isSecure);
      client.end(true);
    });
    client.on('packetreceive', () => {
      if (this.#client === client && this.#isOnline) this.#options.onHeard();
    });
    client.on('message', (topic, payload) => {
      const channel = parseTopic(topic)?.channel;
      const down = DOWN_CHANNELS.find((one) => one === channel);
      if (down) this.#options.onMessage(down, payload);
    });
    client.on('close', () => {
      if (this.#client !== client) return;
      this.#client = null;
      const wasOnline = this.#isOnline;
      this.#wentOffline();
      client.end(true);
      if (wasOnline) log.warn('link: the connection was lost; events are kept until it is back.');
      this.#failed(
        reason ??
          (wasOnline
            ? 'the connection was lost'
            : 'the broker closed the connection before it began; it may have refused the certificate'),
        { wasOnline, isRefused: reason === null ? isSecure : isRefused },
      );
    });
  }

  #subscribe(client: MqttClient): void {
    const topics = DOWN_CHANNELS.filter((one) => one !== 'ask').map((one) => topicOf(this.#device, one));
    client.subscribe(topics, { qos: 1 }, (error) => {
      if (this.#client !== client) return;
      if (error) {
        this.#options.log.error(`link: the broker does not let the device listen: ${error.message}`);
        client.end(true);
        return;
      }
      this.#settleTrial();
      this.#isOnline = true;
      this.#onlineAt = performance.now();
      this.#proven = setTimeout(() => this.#options.identity.forgetBefore(), PROVEN_MS);
      this.#proven.unref();
      this.trouble = null;
      const { hostname, port } = this.#options.mqtt;
      this.#options.log.info(`link: connected to ${hostname}:${port} as ${this.#device}`);
      // Not before: what is asked must find a way for its answer. Nor after the state, which says that it listens. A broker
      // whose access list is from before this channel lets the device do all else.
      client.subscribe(topicOf(this.#device, 'ask'), { qos: 1 }, (refused) => {
        if (refused)
          this.#options.log.warn(`link: the broker does not let the device be asked: ${refused.message}`);
      });
      const state = { state: 'online', session: this.#session, at: Date.now() };
      this.publish('state', JSON.stringify(state), { retain: true });
      this.#options.onHeard();
      this.#options.onOnline(this.#device);
    });
  }

  /** The broker has taken what it was shown: that is the identity from now on. */
  #settleTrial(): void {
    const { identity, log } = this.#options;
    try {
      if (this.#shown?.place === 'next') identity.promote();
      else if (this.#shown?.place === 'before') {
        identity.goBack();
        this.#refused();
      } else if (identity.hasNext) {
        identity.discard();
        this.#refused();
      }
    } catch (error) {
      // The disk refuses: the pair stays on trial, and is settled at the next connection.
      log.error(`link: the new certificate cannot be settled: ${messageOf(error)}`);
    }
  }

  #refused(): void {
    const message = 'The broker does not take the new certificate; the one before stays.';
    this.#options.log.warn(`link: ${message}`);
    this.#options.onRefused(message);
  }

  #wentOffline(): void {
    if (!this.#isOnline) return;
    this.#isOnline = false;
    if (this.#proven) clearTimeout(this.#proven);
    this.#options.onOffline();
  }

  #failed(reason: string, { wasOnline = false, isRefused = false } = {}): void {
    if (this.#isStopped) return;
    const { mqtt, log } = this.#options;
    this.trouble = reason;
    if (!wasOnline) {
      this.#prefersNext = this.#shown?.place !== 'next';
      this.#wantsBefore = isRefused && this.#shown?.place === 'own';
    }
    if (wasOnline && performance.now() - this.#onlineAt > STABLE_MS) this.#failures = 0;
    const ceiling = Math.min(BACKOFF_MAX_MS, BACKOFF_MIN_MS * 2 ** this.#failures);
    this.#failures++;
    const waitMs = ceiling / 2 + (Math.random() * ceiling) / 2;
    if (!wasOnline) log.warn(`link: no connection to ${mqtt.hostname}:${mqtt.port}: ${reason}`);
    log.debug(`link: next attempt in ${Math.round(waitMs)} ms`);
    this.#retry = setTimeout(() => this.#connect(), waitMs);
  }
}

/**
 * Whether a certificate may be why: the broker answers it with an alert or a refusal, or closes once the encryption stands.
 * One that nobody reaches has looked at none.
 */
const mayRefuse = (error: Error, isSecure: boolean): boolean =>
  /\balert\b/i.test(error.message) || (isSecure && error.message !== 'connack timeout');

/** What a person can do something with, for the failures that a certificate causes. */
function explain(error: Error): string {
  const code = codeOf(error);
  const text = error.message;
  if (/alert certificate expired|CERT_HAS_EXPIRED/i.test(`${text} ${code}`)) {
    return code === 'CERT_HAS_EXPIRED'
      ? "the broker's certificate has expired (or this machine's clock is wrong)"
      : "the broker says that this device's certificate has expired; get a new one from the device page";
  }
  if (/alert certificate revoked/i.test(text))
    return "the broker says that this device's certificate was revoked, or is on hold while the device is in quarantine";
  if (
    /alert (unknown ca|bad certificate|certificate unknown|certificate required|access denied)/i.test(text)
  ) {
    return `the broker refused this device's certificate (${text.match(/alert ([a-z ]+)/i)?.[1] ?? text})`;
  }
  if (/SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ERR_TLS_CERT_ALTNAME|CERT_/.test(code)) {
    return `the broker's certificate is not trusted: ${text} (mqtt.cacertfile and mqtt.hostname must match the broker)`;
  }
  if (/key values mismatch/i.test(text)) return 'mqtt.certfile and mqtt.keyfile do not belong together';
  if (/PEM|asn1|no start line/i.test(text)) return `a certificate or key file is damaged: ${text}`;
  if (code === 'ECONNRESET')
    return 'the broker broke the connection off; it may have refused the certificate';
  return text || code;
}
