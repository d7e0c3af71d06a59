import { createHash } from 'node:crypto';
import type { DeviceConfig } from '@albedo/contract/device-config/device-config.schema';
import type { DeviceTwin } from '@albedo/contract/twins/twins.schema';
import type { Logger } from 'pino';
import type { Bus } from '../bus/bus.ts';
import type { DeviceAsks } from '../device-asks/device-asks.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { Health } from '../health/health.service.ts';
import type { TwinsStore } from './twins.store.ts';
import { configApplied } from './twins.topics.ts';

/** Devices that are read at once: after an outage all of them come together. */
const AT_ONCE = 8;
/** A device that could not be read is asked again after this, ms. */
const AGAIN_MS = 60_000;

export interface TwinsOptions {
  store: TwinsStore;
  deviceAsks: DeviceAsks;
  health: Health;
  bus: Bus;
  log: Logger;
}

/** What configuration devices should have, which one they have, and since when the two differ. */
export class Twins {
  readonly #options: TwinsOptions;
  /** Hash that each device is known to have, or to have told when it could not be read. */
  readonly #known = new Map<string, string>();
  readonly #waiting = new Set<string>();
  #reading = 0;

  constructor(options: TwinsOptions) {
    this.#options = options;
  }

  get(device: string): Promise<DeviceTwin> {
    return this.#options.store.get(device);
  }

  /** Somebody says what a device should have. */
  async setDesired(device: string, text: string, by: string): Promise<DeviceTwin> {
    return this.#set(device, {
      desired: text,
      desiredHash: createHash('sha256').update(text).digest('hex'),
      desiredBy: by,
      desiredAt: new Date(),
    });
  }

  /** The device took this configuration from somebody: it should have it, and has it. */
  async applied(device: string, { text, hash }: DeviceConfig, by: string): Promise<void> {
    const at = new Date();
    this.#known.set(device, hash);
    await this.#set(device, {
      ...{ desired: text, desiredHash: hash, desiredBy: by, desiredAt: at },
      ...{ reported: text, reportedHash: hash, reportedAt: at },
    });
    void this.#options.bus.publish(configApplied, { device, hash, by, at: at.getTime() });
  }

  /** A device told what it has; one that is new is read. */
  heard(device: string, hash: string | undefined): void {
    if (hash === undefined || this.#known.get(device) === hash) return;
    this.#known.set(device, hash);
    this.#waiting.add(device);
    void this.#read();
  }

  forget(device: string): void {
    this.#known.delete(device);
    this.#waiting.delete(device);
  }

  async #read(): Promise<void> {
    if (this.#reading >= AT_ONCE) return;
    this.#reading++;
    try {
      for (const device of this.#waiting) {
        this.#waiting.delete(device);
        await this.#readOne(device);
      }
    } finally {
      this.#reading--;
    }
  }

  async #readOne(device: string): Promise<void> {
    const { store, deviceAsks, health, log } = this.#options;
    try {
      const { reported, differsSince } = await store.get(device);
      if (reported?.hash === this.#known.get(device)) {
        health.note(device, { configDiffersSince: differsSince });
        return;
      }
      const { text, hash } = await deviceAsks.ask(device, 'config.read', {});
      this.#known.set(device, hash);
      await this.#set(device, { reported: text, reportedHash: hash, reportedAt: new Date() });
    } catch (error) {
      if (!(error instanceof AppError)) log.error({ err: error, device }, 'a twin could not be kept');
      setTimeout(() => this.#known.delete(device), AGAIN_MS).unref();
    }
  }

  async #set(device: string, change: Parameters<TwinsStore['set']>[1]): Promise<DeviceTwin> {
    const twin = await this.#options.store.set(device, change);
    this.#options.health.note(device, { configDiffersSince: twin.differsSince });
    return twin;
  }
}
