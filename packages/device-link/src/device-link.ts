import type { DownChannel, UpChannel } from '@albedo/contract/link/link.topics';

/** Channels that reach the cloud as messages; `state` becomes presence inside the link. */
export type MessageChannel = Exclude<UpChannel, 'state'>;

/** Called for every message, in order of arrival. It must not keep `payload` past its own call: copy what stays. */
export type MessageHandler = (device: string, channel: MessageChannel, payload: Buffer) => void;

/** Called when a device comes or goes, never twice the same in a row for one device. `at` is epoch ms, our clock. */
export type PresenceHandler = (device: string, online: boolean, at: number) => void;

/**
 * The cloud's end of the device link, whichever broker is behind it.
 *
 * A message that a broker took is not yet safe anywhere: what must not be lost is acknowledged end to end, by the
 * `ack` channel. `device` of a handler is proven: by the certificate (embedded broker), or by the access list that the
 * external broker enforces.
 */
export interface DeviceLink {
  /**
   * Rejects when the address cannot be opened. Handlers are given before. `place` tells the processes of one broker
   * apart; a link that was stopped may start again with another one.
   */
  start(place?: number): Promise<void>;
  /** Ends all connections; what devices sent and was not acknowledged they send again. */
  stop(): Promise<void>;
  /**
   * Hears the devices of these shards from here on, besides those before, and asks them to send again what nobody has
   * acknowledged. The embedded broker hears all of its devices from the start.
   */
  listen(shards: readonly string[]): Promise<void>;
  /** Hears no more of these; who of them was online is forgotten without a word. */
  ignore(shards: readonly string[]): Promise<void>;
  /** False while a broker at an address is away. */
  readonly isConnected: boolean;
  /** True when it can send to every device, whichever process hears it; false when only to those connected here. */
  readonly reachesAll: boolean;
  /** Any number of handlers may be given; one that throws is logged and does not hold up the others. */
  onMessage(handler: MessageHandler): void;
  onPresence(handler: PresenceHandler): void;
  /** Devices that are connected now. */
  online(): string[];
  /** The address that a device is connected from now; null where it is not, or where the broker does not say. */
  addressOf(device: string): string | null;
  /** Sends to one device; false when it is known not to listen, so that the message went nowhere. */
  publish(device: string, channel: DownChannel, payload: Buffer | string): Promise<boolean>;
  /** Ends the connection of a device at once. */
  disconnect(device: string): Promise<void>;
  /** Hears a device again that was kept out; it comes by itself where its connection was ended. */
  readmit(device: string): Promise<void>;
  /** Takes a new revocation list (PEM) for the connections to come; `disconnect` ends those that are there. */
  replaceRevocations(crlPem: string): void;
}

/** The part of a pino logger that the link uses. */
export interface LinkLog {
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
  error(facts: object, text: string): void;
}
