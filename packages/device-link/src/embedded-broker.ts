import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { LINK_LIMITS } from '@albedo/contract/link/link.messages';
import {
  DOWN_CHANNELS,
  type DownChannel,
  isUnsharded,
  parseTopic,
  topicOf,
  UP_CHANNELS,
} from '@albedo/contract/link/link.topics';
import { Aedes, type Client, type ConnectPacket, type PublishPacket } from 'aedes';
import type { DeviceLink, LinkLog } from './device-link.ts';
import { Handlers } from './handlers.ts';
import { limitPackets } from './packet-limit.ts';
import { checkPeer, type Peer } from './peer.ts';
import { RareLog } from './rare-log.ts';
import { TLS } from './tls.ts';

export interface EmbeddedBrokerOptions {
  host?: string;
  /** 0 takes any free port. */
  port: number;
  /** Certificate of the authority whose devices are let in, PEM. */
  caPem: string;
  /** What to show devices; asked at the start and once a day, and shown to the connections to come. */
  certificate: () => Promise<{ certPem: string; keyPem: string }>;
  crlPem: string;
  /** Says at once whether a certificate was revoked, whatever list the handshake saw. */
  isRevoked: (serial: string, peer: Peer) => boolean | Promise<boolean>;
  log: LinkLog;
  /** How long a connection may take until it has shown its certificate, ms. */
  handshakeMs?: number;
}

export interface EmbeddedBroker extends DeviceLink {
  readonly port: number;
}

/** A device that comes back within this is one that never went: the presence of a takeover does not flicker. */
const GRACE_MS = 400;
/** A client that asks for no keepalive, or a longer one, is held to this: half-open connections end in 1.5 times. */
const KEEPALIVE_S = 60;
/** A message with its topic. */
const PACKET_BYTES = LINK_LIMITS.messageBytes + 1024;
const TOO_OLD = 'its agent is too old for this cloud: it knows no shards; install it again from its pack';
/** A cloud may run for longer than its certificate is good. */
const CERTIFICATE_EVERY_MS = 86_400_000;

/**
 * An MQTT broker in this process, over TLS with client certificates. It is no general message bus: what devices publish
 * goes to the handlers, what the cloud publishes goes to the one device, and nothing is kept (no sessions, no retained
 * messages, no queues), because everything that matters is acknowledged end to end.
 */
export function embeddedBroker(options: EmbeddedBrokerOptions): EmbeddedBroker {
  return new Embedded(options);
}

/** Nobody subscribes to what devices publish, and the hooks have taken it by then: there is nothing to route or keep. */
class Unrouted extends Aedes {
  override publish(_packet: unknown, ...rest: unknown[]): void {
    const done = rest.at(-1);
    if (typeof done === 'function') done();
  }
}

class Embedded implements EmbeddedBroker {
  readonly #options: EmbeddedBrokerOptions;
  readonly #handlers: Handlers;
  readonly #rare = new RareLog();
  readonly #clients = new Map<string, Client>();
  /** Those too that have not shown a certificate yet. */
  readonly #connections = new Set<Socket>();
  readonly #server: Server;
  readonly #broker: Aedes;
  #stopped = false;
  #renewal: NodeJS.Timeout | null = null;
  #credentials: { ca: string; crl: string; cert?: string; key?: string };

  constructor(options: EmbeddedBrokerOptions) {
    this.#options = options;
    this.#handlers = new Handlers(options.log);
    this.#credentials = { ca: options.caPem, crl: options.crlPem };
    // An unauthorised peer finishes the handshake only so that `checkPeer` can tell the log who it was; `#admit` is the
    // one way to the broker, and it ends every connection that the check refuses.
    this.#server = createServer({
      requestCert: true,
      rejectUnauthorized: false,
      handshakeTimeout: options.handshakeMs ?? 20_000,
    });
    this.#broker = new Unrouted({
      maxClientsIdLength: 100,
      keepaliveLimit: 0,
      connectTimeout: 20_000,
      drainTimeout: 30_000,
      preConnect: (client, packet, done) => this.#preConnect(client, packet, done),
      authorizePublish: (client, packet, done) => this.#take(client, packet, done),
      authorizeSubscribe: (client, subscription, done) => {
        const own = DOWN_CHANNELS.some((one) => subscription.topic === topicOf(client.id, one));
        if (!own)
          this.#refuse({ device: client.id, topic: subscription.topic }, 'it may not subscribe to that');
        done(null, own ? subscription : null);
      },
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  onMessage = (handler: Parameters<DeviceLink['onMessage']>[0]) => this.#handlers.onMessage(handler);
  onPresence = (handler: Parameters<DeviceLink['onPresence']>[0]) => this.#handlers.onPresence(handler);
  online = () => this.#handlers.online();

  addressOf(device: string): string | null {
    const connection = this.#clients.get(device)?.conn as Socket | undefined;
    // A server that listens to both families writes an IPv4 address as one of IPv6.
    return connection?.remoteAddress?.replace(/^::ffff:(?=[\d.]+$)/i, '') ?? null;
  }

  async start(): Promise<void> {
    const { log } = this.#options;
    await this.#renew();
    await this.#broker.listen();
    this.#broker.on('clientReady', (client) => this.#arrived(client));
    const broken = (client: Client, error: Error) => {
      const device = client.id ?? peers.get(client.conn as TLSSocket)?.device;
      const passed = this.#rare.pass(`${device}\n${error.message}`);
      if (passed) log.info({ device, ...passed }, `connection of a device ended: ${error.message}`);
    };
    this.#broker.on('clientError', broken);
    this.#broker.on('connectionError', broken);
    this.#server.on('connection', (socket: Socket) => {
      this.#connections.add(socket);
      socket.once('close', () => this.#connections.delete(socket));
    });
    this.#server.on('secureConnection', (socket) => void this.#admit(socket));
    this.#server.on('tlsClientError', (error, socket) => {
      this.#refuse({ address: socket.remoteAddress }, `the TLS handshake failed: ${tlsReason(error)}`);
      // A handshake that takes too long is only reported: who says nothing would stay for ever.
      socket.destroy();
    });
    this.#server.listen(this.#options.port, this.#options.host);
    await once(this.#server, 'listening');
    this.#server.on('error', (err) => log.error({ err }, 'the device link has a fault'));
    const renew = () =>
      void this.#renew().catch((err) => log.error({ err }, 'the certificate of the server was not renewed'));
    this.#renewal = setInterval(renew, CERTIFICATE_EVERY_MS);
    this.#renewal.unref();
    log.info({ port: this.port }, 'device link listens');
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#renewal) clearInterval(this.#renewal);
    await new Promise<void>((done) => this.#broker.close(() => done()));
    const closed = new Promise<void>((done) => this.#server.close(() => done()));
    for (const socket of this.#connections) socket.destroy();
    await closed;
  }

  readonly isConnected = true;
  readonly reachesAll = false;

  async listen(): Promise<void> {}

  async ignore(): Promise<void> {}

  publish(device: string, channel: DownChannel, payload: Buffer | string): Promise<boolean> {
    const client = this.#clients.get(device);
    const topic = topicOf(device, channel);
    if (!client || !(topic in subscriptionsOf(client))) return Promise.resolve(false);
    return new Promise((done) => {
      // QoS 0 on a connection that is there: TCP delivers it or the connection ends, and then an ack comes again.
      client.publish({ cmd: 'publish', topic, payload, qos: 0, dup: false, retain: false }, (error) =>
        done(!error),
      );
    });
  }

  async disconnect(device: string): Promise<void> {
    const client = this.#clients.get(device);
    if (client) await new Promise<void>((done) => client.close(done));
    this.#left(device, client);
  }

  async readmit(): Promise<void> {}

  replaceRevocations(crlPem: string): void {
    this.#use({ crl: crlPem });
  }

  async #renew(): Promise<void> {
    const { certPem, keyPem } = await this.#options.certificate();
    this.#use({ cert: certPem, key: keyPem });
  }

  /** For the connections to come; those that are there stay. */
  #use(changed: { crl: string } | { cert: string; key: string }): void {
    this.#credentials = { ...this.#credentials, ...changed };
    this.#server.setSecureContext({ ...this.#credentials, ...TLS });
  }

  async #admit(socket: TLSSocket): Promise<void> {
    const address = socket.remoteAddress;
    // Until the broker takes the socket over, its errors are ours.
    const ignore = () => socket.destroy();
    socket.on('error', ignore);
    const { peer, refusal } = checkPeer(socket);
    if (refusal !== null) {
      this.#refuse({ ...peer, address }, refusal);
      socket.destroy();
      return;
    }
    try {
      if (await this.#options.isRevoked(peer.serial, peer)) {
        this.#refuse({ ...peer, address }, 'its certificate was revoked');
        socket.destroy();
        return;
      }
    } catch (err) {
      this.#options.log.error(
        { ...peer, err },
        'a device cannot be let in: its certificate could not be checked',
      );
      socket.destroy();
      return;
    }
    if (socket.destroyed) return;
    peers.set(socket, peer);
    limitPackets(socket, PACKET_BYTES);
    this.#broker.handle(socket);
    socket.off('error', ignore);
  }

  /** Makes the connection the device's own, whatever client id it gave. */
  #preConnect(client: Client, packet: ConnectPacket, done: (error: Error | null, ok: boolean) => void): void {
    const peer = peers.get(client.conn as TLSSocket);
    const foreignWill = packet.will && packet.will.topic !== topicOf(peer?.device ?? '', 'state');
    if (!peer || foreignWill) {
      const isOld = packet.will && isUnsharded(packet.will.topic);
      this.#refuse(
        { ...peer, topic: packet.will?.topic },
        isOld ? TOO_OLD : 'its will may only be its own state',
      );
      done(new Error('the will is not its own state'), false);
      return;
    }
    // The id is the certificate's, so a second connection of the device ends only its own first one.
    packet.clientId = peer.device;
    packet.clean = true;
    if (!packet.keepalive || packet.keepalive > KEEPALIVE_S * 5) packet.keepalive = KEEPALIVE_S;
    done(null, true);
  }

  #arrived(client: Client): void {
    const device = client.id;
    const earlier = this.#clients.get(device);
    this.#clients.set(device, client);
    if (earlier && earlier !== client && !earlier.closed) earlier.close();
    // The socket's own end is the one event that comes exactly once, however the connection ends.
    if (client.conn.destroyed) this.#left(device, client);
    else {
      client.conn.once('close', () => setTimeout(() => this.#left(device, client), GRACE_MS));
      this.#handlers.presence(device, true);
    }
  }

  #left(device: string, client: Client | undefined): void {
    if (client && this.#clients.get(device) === client) this.#clients.delete(device);
    // A link that stops says nothing about its devices.
    if (!this.#clients.has(device) && !this.#stopped) this.#handlers.presence(device, false);
  }

  #take(client: Client | null, packet: PublishPacket, done: (error?: Error | null) => void): void {
    const to = parseTopic(packet.topic);
    const channel = UP_CHANNELS.find((one) => one === to?.channel);
    // Without a client it is the will of a closed connection: presence knows already.
    const refusal = !client
      ? 'it is gone'
      : packet.qos === 2
        ? 'QoS 2 is not spoken here'
        : to?.device !== client.id || !channel
          ? 'it may not publish to that'
          : null;
    if (refusal !== null) {
      if (client) this.#refuse({ device: client.id, topic: packet.topic }, refusal);
      done(new Error(refusal));
      return;
    }
    // Nothing is retained: presence is the connection, and no device reads another's state here.
    packet.retain = false;
    if (client && channel && channel !== 'state') {
      this.#handlers.message(client.id, channel, payloadOf(packet));
    }
    done(null);
  }

  #refuse(facts: Refused, refusal: string): void {
    const passed = this.#rare.pass(`${facts.device ?? facts.address}\n${refusal}`);
    if (passed) this.#options.log.warn({ ...facts, ...passed }, `device link refused: ${refusal}`);
  }
}

interface Refused {
  device?: string | undefined;
  address?: string | undefined;
  topic?: string | undefined;
}

/** Whose certificate each accepted connection showed. */
const peers = new WeakMap<TLSSocket, Peer>();

function payloadOf(packet: PublishPacket): Buffer {
  return typeof packet.payload === 'string' ? Buffer.from(packet.payload) : packet.payload;
}

/** What a client has subscribed to; the broker's own bookkeeping, which its types leave out. */
function subscriptionsOf(client: Client): Readonly<Record<string, unknown>> {
  return (client as unknown as { subscriptions: Record<string, unknown> }).subscriptions;
}

/** OpenSSL's line cut to the part that people can read. */
function tlsReason(error: Error): string {
  return /SSL routines:[^:]*:([^:]+)/.exec(error.message)?.[1] ?? error.message;
}
