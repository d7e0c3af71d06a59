import type { ChannelTest } from '@albedo/contract/notifications/notifications.schema';
import type { Transaction } from '@albedo/postgres/postgres';
import { z } from 'zod';
import type { Bus } from '../bus/bus.ts';
import { AppError } from '../errors/app-error.ts';
import { defineJob, type Run } from '../jobs/job.ts';
import type { Jobs } from '../jobs/jobs.service.ts';
import { OUTBOUND_AN_HOUR, type OutboundQuota } from '../outbound/outbound.quota.ts';
import type { OutsideFetch } from '../outbound/outside-fetch.ts';
import {
  type FailureKind,
  newSigningSecret,
  QuotaUsed,
  type WebhookAnswer,
  WebhookCalls,
} from '../outbound/webhook-calls.ts';
import type { Seal } from '../secrets/sealed.ts';
import type { TellList } from '../sockets/lists.ts';
import { notificationsDelivered } from './notifications.topics.ts';
import type { ChannelRow, SetupStore } from './setup.store.ts';
import { bodyOf, type Message } from './templates.ts';
import type { DeliveryRow, ToldStore } from './told.store.ts';

const waiting = z.object({ workgroup: z.string(), id: z.uuid() });

export interface DeliveriesOptions {
  setup: Pick<SetupStore, 'find' | 'noteEnd' | 'report' | 'turnOff'>;
  store: Pick<ToldStore, 'addDelivery' | 'delivery' | 'isOvertaken' | 'noteDelivery'>;
  jobs: Pick<Jobs, 'send' | 'wake'>;
  gate: Pick<OutsideFetch, 'fetch'>;
  quota: OutboundQuota;
  seal: Seal;
  bus: Bus;
  tell: TellList;
  publicUrl: () => string;
  now: () => number;
  /** Tells those who look after the channels. */
  complain: (channel: ChannelRow, kind: FailureKind, error: string) => Promise<void>;
}

/**
 * Messages of incidents to webhooks. Each has one id, under which it is repeated, with a fresh time and signature, until it
 * is taken; the receiver knows a repeat by it.
 */
export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #calls: WebhookCalls;

  readonly job = defineJob({
    name: 'notify-webhook',
    payload: waiting,
    limitS: 60,
    // Hourly in the end, and longer than a channel that fails stays on.
    retry: { times: 150, afterS: 10, atMostS: 3600 },
    sideBySide: 4,
    turns: { of: ({ workgroup }) => workgroup, atOnce: 2 },
    about: ({ workgroup }) => workgroup,
    run: (run) => this.#run(run),
  });

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    this.#calls = new WebhookCalls(options);
  }

  /** Hands a message over inside a transaction; call `wake` after it. */
  async hand(
    workgroup: string,
    of: { id: string; channel: string; incident: string | null; message: Message },
    inside: Transaction,
  ): Promise<void> {
    const { store, jobs, now } = this.#options;
    const { id, message } = of;
    await store.addDelivery({ workgroup, ...of, what: message.what, createdAt: new Date(now()) }, inside);
    await jobs.send(this.job, { workgroup, id }, { inside });
  }

  wake(): void {
    this.#options.jobs.wake(this.job);
  }

  /** Sends a test at once. Throws `notify_channel.busy`. */
  async test(channel: ChannelRow, id: string): Promise<ChannelTest> {
    const { status, error } = await this.#call(channel, id, { what: 'test' });
    const { setup } = this.#options;
    await setup.noteEnd(channel.workgroup, channel.id, { at: this.#now(), error, isTest: true });
    this.#options.tell('notify-channels', channel.workgroup);
    return { ok: error === null, status, error };
  }

  /** One attempt; throws where it is to be repeated. */
  async attempt({ workgroup, id }: z.output<typeof waiting>): Promise<void> {
    const { setup, store, tell } = this.#options;
    const row = await store.delivery(workgroup, id);
    if (row?.state !== 'waiting') return;
    const channel = await setup.find('channels', workgroup, row.channel);
    if (!channel?.isEnabled) return this.#drop(row, channel, 'The channel is off.');
    // A receiver that hears of the end first would keep what it hears after it open for ever.
    if (await store.isOvertaken(row)) return this.#drop(row, channel, 'A later message was taken before it.');
    const { status, error } = await this.#call(channel, id, row.message as Message);
    const after = await setup.noteEnd(workgroup, channel.id, { at: this.#now(), error });
    if (error === null) {
      await store.noteDelivery(workgroup, id, {
        state: 'delivered',
        error: null,
        endedAt: this.#now(),
        isAttempt: true,
      });
      this.#told(row, channel, null);
      if (channel.failingSince !== null) tell('notify-channels', workgroup);
      return;
    }
    await store.noteDelivery(workgroup, id, { error, isAttempt: true });
    if (row.attempts === 0) this.#told(row, channel, error);
    if (await this.#givesUp(after ?? channel, status, error)) return this.#drop(row, channel, error);
    throw new Error(error);
  }

  async #run({ payload }: Run<z.output<typeof waiting>>): Promise<void> {
    await this.attempt(payload);
  }

  /** Whether the channel is off now. */
  async #givesUp(channel: ChannelRow, status: number | null, error: string): Promise<boolean> {
    const { setup, complain, tell } = this.#options;
    const { workgroup, id } = channel;
    const isOff = await this.#calls.failed(channel, status, {
      turnOff: (reason) => setup.turnOff(workgroup, id, reason),
      report: () => setup.report(workgroup, id),
      complain: (kind) => complain(channel, kind, error),
    });
    tell('notify-channels', workgroup);
    return isOff;
  }

  async #drop(row: DeliveryRow, channel: ChannelRow | undefined, error: string): Promise<void> {
    const { store } = this.#options;
    const endedAt = this.#now();
    await store.noteDelivery(row.workgroup, row.id, { state: 'dropped', error, endedAt, isAttempt: false });
    if (channel && row.attempts > 0) this.#told(row, channel, error);
  }

  #told({ workgroup, incident }: DeliveryRow, { name }: ChannelRow, error: string | null): void {
    if (incident === null) return;
    const told = { workgroup, incident, channel: name, ok: error === null, error };
    void this.#options.bus.publish(notificationsDelivered, told);
  }

  async #call(channel: ChannelRow, id: string, message: Message): Promise<WebhookAnswer> {
    const { workgroup, template, phones } = channel;
    const token = this.secretOf(channel, 'token');
    const to = {
      workgroup,
      address: this.secretOf(channel, 'address') ?? '',
      secrets: [this.secretOf(channel, 'secret') ?? newSigningSecret()],
      ...(token !== null && template !== 'pagerduty'
        ? { headers: { authorization: `Bearer ${token}` } }
        : {}),
    };
    const place = { workgroup, publicUrl: this.#options.publicUrl(), token, phones };
    const bodyAt = (at: number) => JSON.stringify(bodyOf(template ?? 'json', message, { ...place, at }));
    try {
      return await this.#calls.call(to, id, bodyAt);
    } catch (error) {
      if (error instanceof QuotaUsed) throw new AppError('notify_channel.busy', { count: OUTBOUND_AN_HOUR });
      throw error;
    }
  }

  secretOf(channel: ChannelRow, part: 'address' | 'token' | 'secret'): string | null {
    const sealed = channel[part];
    return sealed === null ? null : this.#options.seal.open(sealed, ownerOf(channel.id, part));
  }

  #now(): Date {
    return new Date(this.#options.now());
  }
}

/** The owner name under which a channel's address and secrets are sealed. */
export const ownerOf = (channel: string, part: string): string => `notify-channel:${channel}:${part}`;
