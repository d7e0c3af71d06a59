import type { Field } from '@albedo/plugin-kit/fields/field-file';
import {
  AttributeIds,
  type ClientSession,
  type ClientSubscription,
  type DataValue,
  TimestampsToReturn,
} from 'node-opcua-client';
import { isOfClassGood } from './opcua-value.ts';

/** Changes that wait to be written; older ones go when a server tells more. */
const MOST_WAITING = 20_000;
/** Changes of one value that the server keeps for us. */
const QUEUE = 100;
const MONITORED_AT_ONCE = 500;

/** What the server says of one value at one instant. */
export interface Change {
  field: Field;
  told: DataValue;
  /** Epoch ms. */
  at: number;
}

/** Collects what the server tells between two readings. */
export class OpcuaSubscription {
  readonly #subscription: ClientSubscription;
  #waiting: Change[] = [];
  #lost = 0;
  #hasEnded = false;

  private constructor(subscription: ClientSubscription) {
    this.#subscription = subscription;
    subscription.on('terminated', () => {
      this.#hasEnded = true;
    });
  }

  /** Rejects when the server takes no subscription; a value that it does not have goes to `refused`. */
  static async open(
    session: ClientSession,
    fields: readonly { field: Field; nodeId: string }[],
    samplingMs: number,
    refused: (field: Field, reason: string) => void,
  ): Promise<OpcuaSubscription> {
    const subscription = await session.createSubscription2({
      requestedPublishingInterval: Math.max(100, samplingMs),
      requestedLifetimeCount: 600,
      requestedMaxKeepAliveCount: 20,
      maxNotificationsPerPublish: 1000,
      publishingEnabled: true,
      priority: 0,
    });
    const own = new OpcuaSubscription(subscription);
    for (let at = 0; at < fields.length; at += MONITORED_AT_ONCE) {
      await own.#monitor(fields.slice(at, at + MONITORED_AT_ONCE), samplingMs, refused);
    }
    return own;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** What came since the last time, oldest first, and how much was lost. */
  take(): { changes: Change[]; lost: number } {
    const taken = { changes: this.#waiting.toSorted((a, b) => a.at - b.at), lost: this.#lost };
    this.#waiting = [];
    this.#lost = 0;
    return taken;
  }

  async #monitor(
    fields: readonly { field: Field; nodeId: string }[],
    samplingMs: number,
    refused: (field: Field, reason: string) => void,
  ): Promise<void> {
    const group = await this.#subscription.monitorItems(
      fields.map(({ nodeId }) => ({ nodeId, attributeId: AttributeIds.Value })),
      { samplingInterval: samplingMs, discardOldest: true, queueSize: QUEUE },
      TimestampsToReturn.Both,
    );
    for (const [index, item] of group.monitoredItems.entries()) {
      const field = fields[index]?.field;
      if (!field) continue;
      if (!isOfClassGood(item.statusCode)) refused(field, item.statusCode.name);
      item.on('changed', (value: DataValue) => this.#keep(field, value));
    }
  }

  #keep(field: Field, told: DataValue): void {
    if (this.#waiting.length >= MOST_WAITING) {
      this.#waiting.shift();
      this.#lost++;
    }
    const at = (told.sourceTimestamp ?? told.serverTimestamp)?.getTime() ?? Number.NaN;
    const now = Date.now();
    // A server whose clock runs ahead of ours by more than an hour has no idea of the time.
    const isTrusted = at > 0 && at < now + 3_600_000;
    this.#waiting.push({ field, told, at: isTrusted ? at : now });
  }
}
