import type { LinkLog, MessageChannel, MessageHandler, PresenceHandler } from './device-link.ts';

/** Those who listen to a link, and who is online: the same for every broker. */
export class Handlers {
  readonly #log: LinkLog;
  readonly #message: MessageHandler[] = [];
  readonly #presence: PresenceHandler[] = [];
  readonly #isOnline = new Map<string, boolean>();

  constructor(log: LinkLog) {
    this.#log = log;
  }

  onMessage(handler: MessageHandler): void {
    this.#message.push(handler);
  }

  onPresence(handler: PresenceHandler): void {
    this.#presence.push(handler);
  }

  online(): string[] {
    return [...this.#isOnline].flatMap(([device, isOnline]) => (isOnline ? [device] : []));
  }

  message(device: string, channel: MessageChannel, payload: Buffer): void {
    for (const handler of this.#message) {
      this.#guard({ device, channel }, () => handler(device, channel, payload));
    }
  }

  presence(device: string, online: boolean): void {
    if (this.#isOnline.get(device) === online) return;
    this.#isOnline.set(device, online);
    const at = Date.now();
    for (const handler of this.#presence) this.#guard({ device }, () => handler(device, online, at));
  }

  /** What was known of the presence of these devices is not any more; nobody is told. */
  forget(isMeant: (device: string) => boolean): void {
    for (const device of this.#isOnline.keys()) if (isMeant(device)) this.#isOnline.delete(device);
  }

  #guard(facts: object, call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#log.error({ ...facts, err: error }, 'a handler of the device link failed');
    }
  }
}
