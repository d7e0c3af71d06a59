import type { LinkLog, MessageChannel, MessageHandler, PresenceHandler } from './device-link.ts';

/** Those who listen to a link, and who is online: the same for every broker. */
export class Handlers {
  readonly #log: LinkLog;
  readonly #message: MessageHandler[] = [];
  readonly #presence: PresenceHandler[] = [];
  readonly #online = new Set<string>();

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
    return [...this.#online];
  }

  message(device: string, channel: MessageChannel, payload: Buffer): void {
    for (const handler of this.#message) {
      this.#guard({ device, channel }, () => handler(device, channel, payload));
    }
  }

  presence(device: string, online: boolean): void {
    if (this.#online.has(device) === online) return;
    if (online) this.#online.add(device);
    else this.#online.delete(device);
    const at = Date.now();
    for (const handler of this.#presence) this.#guard({ device }, () => handler(device, online, at));
  }

  #guard(facts: object, call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#log.error({ ...facts, err: error }, 'a handler of the device link failed');
    }
  }
}
