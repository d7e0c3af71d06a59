import { connect as connectPlain, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { LINK_LIMITS } from '@albedo/contract/link/link.messages';
import { type Packet, parser as packetParser, writeToStream } from 'mqtt-packet';
import { bare, OutsideError, wordsOf } from '../outbound/outside-fetch.ts';

export interface BrokerAddress {
  url: URL;
  /** Gives checked addresses only. */
  lookup: LookupFunction;
  caPem: string | null;
  clientId: string;
  user: string | null;
  password: string | null;
  topics: readonly string[];
  /** The broker keeps what comes while nobody listens. */
  isKept: boolean;
}

/** What came on a topic. */
export interface BrokerMessage {
  /** Its number at the broker until it is acknowledged; null where it never comes again. */
  id: number | null;
  topic: string;
  payload: Buffer;
  /** Kept by the broker from earlier. */
  isRetained: boolean;
  /** It may have come before. */
  isRepeat: boolean;
  /** Lets the broker forget it. */
  taken: () => void;
}

export interface LinkEvents {
  onMessage: (message: BrokerMessage) => void;
  /** Once, and only after the link was there; why is null where we ended it. */
  onEnd: (why: OutsideError | null) => void;
}

const CONNECT_MS = 10_000;
const KEEPALIVE_S = 30;
const MESSAGE_BYTES = LINK_LIMITS.messageBytes;

const REFUSALS: ReadonlyMap<number, string> = new Map([
  [1, 'the broker does not speak MQTT 3.1.1.'],
  [2, 'the broker refuses this client id.'],
  [3, 'the broker is not available.'],
  [4, 'the broker refuses the user or the password.'],
  [5, 'the broker does not let this client in.'],
]);

/**
 * A subscription to a broker of somebody else, MQTT 3.1.1 at QoS 1.
 *
 * A client of its own, because a message must be acknowledged when it is stored and not before, while those behind it are
 * read on, so that they are stored together: clients in use acknowledge each message before they hand out the next.
 */
export class MqttLink {
  readonly #socket: Socket;
  readonly #address: BrokerAddress;
  readonly #events: LinkEvents;
  readonly #answers = new Map<string, (packet: Packet) => void>();
  #isOpen = false;
  #why: OutsideError | null = null;
  #isOver = false;
  #messageId = 0;
  #ping: NodeJS.Timeout | null = null;
  #heardAt = Date.now();

  private constructor(address: BrokerAddress, events: LinkEvents) {
    this.#address = address;
    this.#events = events;
    const { url, lookup, caPem } = address;
    const host = bare(url.hostname);
    const isTls = url.protocol === 'mqtts:';
    const to = { host, port: Number(url.port) || (isTls ? 8883 : 1883), lookup };
    this.#socket = isTls
      ? connectTls({
          ...to,
          ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
          ...(caPem ? { ca: caPem } : {}),
          minVersion: 'TLSv1.2',
        })
      : connectPlain(to);
    this.#read();
  }

  /** Resolves when the broker has taken the subscription. Throws `OutsideError`. */
  static async open(address: BrokerAddress, events: LinkEvents, signal?: AbortSignal): Promise<MqttLink> {
    const link = new MqttLink(address, events);
    const stop = () => link.close();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      await link.#introduce();
      link.#isOpen = true;
      return link;
    } catch (error) {
      link.close();
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  /** At QoS 0: it may get lost. */
  publish(topic: string, payload: Buffer): void {
    this.#send({ cmd: 'publish', topic, payload, qos: 0, dup: false, retain: false });
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#heardAt = Date.now();
    this.#socket.resume();
  }

  /** The broker keeps nothing of these any more. Resolves in any case. */
  async unsubscribe(topics: readonly string[]): Promise<void> {
    if (this.#isOver || topics.length === 0) return;
    const messageId = this.#nextId();
    const answer = this.#answer('unsuback', messageId);
    this.#send({ cmd: 'unsubscribe', messageId, unsubscriptions: [...topics] });
    await answer.catch(() => undefined);
  }

  close(): void {
    if (!this.#isOver) this.#send({ cmd: 'disconnect' });
    this.#end(null);
    this.#socket.end();
    this.#socket.destroySoon();
  }

  async #introduce(): Promise<void> {
    const { url, clientId, user, password, topics, isKept } = this.#address;
    const greeted = this.#answer('connack');
    const ready = url.protocol === 'mqtts:' ? 'secureConnect' : 'connect';
    this.#socket.once(ready, () =>
      this.#send({
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: 4,
        clean: !isKept,
        clientId,
        keepalive: KEEPALIVE_S,
        ...(user === null ? {} : { username: user }),
        ...(user === null || password === null ? {} : { password: Buffer.from(password) }),
      }),
    );
    const { returnCode } = (await greeted) as { returnCode?: number };
    if (returnCode) throw new OutsideError(REFUSALS.get(returnCode) ?? 'the broker does not let us in.');
    this.#watch();
    const messageId = this.#nextId();
    const subscribed = this.#answer('suback', messageId);
    this.#send({
      cmd: 'subscribe',
      messageId,
      subscriptions: topics.map((topic) => ({ topic, qos: 1 as const })),
    });
    const { granted } = (await subscribed) as { granted: number[] };
    const refused = topics.find((_topic, i) => (granted[i] ?? 128) > 2);
    if (refused !== undefined) throw new OutsideError(`the broker does not let us hear ${refused}.`);
  }

  #read(): void {
    const socket = this.#socket;
    const parser = packetParser({ protocolVersion: 4 });
    parser.on('packet', (packet) => this.#take(packet));
    parser.on('error', () => this.#fail(new OutsideError('what it answered is not MQTT.')));
    socket.on('data', (chunk) => {
      this.#heardAt = Date.now();
      // What is left is the beginning of one packet.
      if (parser.parse(chunk) > MESSAGE_BYTES + 1024)
        this.#fail(new OutsideError('a message is larger than 1 MB.'));
    });
    socket.on('error', (error) => this.#fail(new OutsideError(wordsOf(error, this.#address.url.host))));
    socket.on('close', () => this.#fail(new OutsideError('the broker closed the connection.')));
  }

  #take(packet: Packet): void {
    if (packet.cmd === 'publish') this.#hand(packet);
    else {
      const key = keyOf(packet.cmd, packet.cmd === 'connack' ? undefined : packet.messageId);
      this.#answers.get(key)?.(packet);
    }
  }

  #hand(packet: Packet & { cmd: 'publish' }): void {
    const { topic, payload, qos, retain, dup, messageId } = packet;
    this.#events.onMessage({
      id: qos > 0 ? (messageId ?? null) : null,
      topic,
      payload: Buffer.isBuffer(payload) ? payload : Buffer.from(payload),
      isRetained: retain,
      isRepeat: dup,
      taken: () => {
        if (qos > 0 && messageId !== undefined) this.#send({ cmd: 'puback', messageId });
      },
    });
  }

  /** The answer to what was sent. Rejects when the link ends, or after a time. */
  #answer(cmd: Packet['cmd'], messageId?: number): Promise<Packet> {
    const key = keyOf(cmd, messageId);
    return new Promise<Packet>((resolve, reject) => {
      const late = () =>
        over(() => reject(new OutsideError(`${this.#address.url.host} did not answer in time.`)));
      const timer = setTimeout(late, CONNECT_MS);
      const ended = () => over(() => reject(this.#why ?? new OutsideError('the connection was ended.')));
      const over = (then: () => void) => {
        clearTimeout(timer);
        this.#answers.delete(key);
        this.#socket.off('close', ended);
        then();
      };
      this.#answers.set(key, (packet) => over(() => resolve(packet)));
      this.#socket.on('close', ended);
    });
  }

  /** A broker that says nothing for one and a half times the pause is gone. */
  #watch(): void {
    this.#ping = setInterval(
      () => {
        if (!this.#socket.isPaused() && Date.now() - this.#heardAt > KEEPALIVE_S * 1500)
          this.#fail(new OutsideError('the broker says nothing any more.'));
        else this.#send({ cmd: 'pingreq' });
      },
      (KEEPALIVE_S * 1000) / 2,
    );
  }

  #send(packet: Packet): void {
    if (!this.#isOver && this.#socket.writable) writeToStream(packet, this.#socket, { protocolVersion: 4 });
  }

  #fail(why: OutsideError): void {
    this.#end(why);
    this.#socket.destroy();
  }

  #end(why: OutsideError | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#why = why;
    if (this.#ping) clearInterval(this.#ping);
    if (this.#isOpen) this.#events.onEnd(why);
  }

  #nextId(): number {
    this.#messageId = (this.#messageId % 65_535) + 1;
    return this.#messageId;
  }
}

const keyOf = (cmd: Packet['cmd'], messageId: number | undefined): string =>
  messageId === undefined ? cmd : `${cmd} ${messageId}`;
