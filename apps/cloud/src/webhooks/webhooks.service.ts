import { randomUUID } from 'node:crypto';
import { OLD_SECRET_HOURS, WEBHOOK_LIMITS } from '@albedo/contract/webhooks/webhooks.names';
import type {
  NewWebhook,
  SavedWebhook,
  Webhook,
  WebhookDelivery,
  WebhookTest,
} from '@albedo/contract/webhooks/webhooks.schema';
import type { Actor } from '../access/actor.ts';
import type { Audit } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import { invalid } from '../errors/request-issues.ts';
import type { OutsideFetch } from '../outbound/outside-fetch.ts';
import { demandWebhookAddress } from '../outbound/webhook-address.ts';
import { newSigningSecret, QuotaUsed } from '../outbound/webhook-calls.ts';
import type { Seal } from '../secrets/sealed.ts';
import type { TellList } from '../sockets/lists.ts';
import { messageOf } from './webhook-events.service.ts';
import { ownerOf, type WebhookQueue } from './webhook-queue.service.ts';
import {
  type DeliveryRow,
  failingSinceOf,
  NOT_FAILING,
  type WebhookRow,
  type WebhooksStore,
} from './webhooks.store.ts';

const SHOWN = 100;
/** Characters of a message that the list shows. */
const SHOWN_OF_ONE = 20_000;
/** Calls that the webhooks of a workgroup may make in an hour. Those of alert channels are counted separately. */
export const CALLS_AN_HOUR = 20_000;

export interface WebhooksOptions {
  store: WebhooksStore;
  queue: WebhookQueue;
  gate: Pick<OutsideFetch, 'demandOpen'>;
  seal: Seal;
  audit: Audit;
  tell: TellList;
  now: () => number;
}

/** Setting up and looking after the webhooks of a workgroup. */
export class Webhooks {
  readonly #options: WebhooksOptions;

  constructor(options: WebhooksOptions) {
    this.#options = options;
  }

  async list(workgroup: string): Promise<Webhook[]> {
    return (await this.#options.store.list(workgroup)).map((row) => this.#shown(row, row.waiting));
  }

  /** Throws `webhook.too_many`, `webhook.name_taken`, `issue.webhook_part`, `issue.webhook_refused`. */
  async create(workgroup: string, wanted: NewWebhook, by: Actor): Promise<SavedWebhook> {
    const { store, seal, now } = this.#options;
    const { name, enabled: isEnabled, address, events } = wanted;
    if (address === undefined) throw invalid('issue.webhook_part', {}, 'address');
    await demandWebhookAddress(this.#options.gate, address);
    if ((await store.list(workgroup)).length >= WEBHOOK_LIMITS.webhooks)
      throw new AppError('webhook.too_many', { count: WEBHOOK_LIMITS.webhooks });
    const id = randomUUID();
    const secret = newSigningSecret();
    const at = new Date(now());
    const row = await store.add(workgroup, {
      ...{ id, name, isEnabled, events, tables: tablesOf(wanted) },
      ...{ address: seal.close(address, ownerOf(id, 'address')), host: new URL(address).host },
      secret: seal.close(secret, ownerOf(id, 'secret')),
      ...{ createdBy: by.email, createdAt: at, rowsSince: at, rowsTold: {}, rowsSeen: {} },
    });
    if (!row) throw new AppError('webhook.name_taken', { name });
    this.#changed(row, by, { action: 'create', newValue: textOf(row) });
    return { ...this.#shown(row, 0), secret };
  }

  /** Throws `webhook.not_found`, and what `create` throws. */
  async update(workgroup: string, id: string, wanted: NewWebhook, by: Actor): Promise<SavedWebhook> {
    if (wanted.address !== undefined) await demandWebhookAddress(this.#options.gate, wanted.address);
    const saved = await this.#options.store.alone(workgroup, id, () =>
      this.#update(workgroup, id, wanted, by),
    );
    await this.#options.queue.look(workgroup);
    return { ...(await this.#now(workgroup, saved)), secret: null };
  }

  async #update(workgroup: string, id: string, wanted: NewWebhook, by: Actor): Promise<WebhookRow> {
    const { store, seal, now } = this.#options;
    const before = await this.#row(workgroup, id);
    const { name, enabled: isEnabled, address, events } = wanted;
    const isOnAgain = isEnabled && !before.isEnabled;
    // How long the old address failed says nothing about a new one.
    const isFresh = isOnAgain || address !== undefined;
    const getsRowsNow = isEnabled && !(before.isEnabled && before.events.includes('table.rows'));
    const row = await store.set(workgroup, id, {
      ...{ name, isEnabled, events, tables: tablesOf(wanted) },
      ...(address === undefined
        ? {}
        : { address: seal.close(address, ownerOf(id, 'address')), host: new URL(address).host }),
      ...(isFresh ? { ...NOT_FAILING, lastError: null } : {}),
      ...(isOnAgain ? { offReason: null } : {}),
      ...(getsRowsNow
        ? { rowsSince: new Date(now()), rowsTold: {}, rowsSeen: {} }
        : rowsFrom(before, wanted, now())),
    });
    if (row === null) throw new AppError('webhook.name_taken', { name });
    if (!row) throw new AppError('webhook.not_found');
    this.#changed(row, by, { action: 'update', newValue: textOf(row), oldValue: textOf(before) });
    return row;
  }

  async remove(workgroup: string, id: string, by: Actor): Promise<void> {
    const row = await this.#options.store.remove(workgroup, id);
    if (row) this.#changed(row, by, { action: 'delete', oldValue: textOf(row) });
  }

  /** Throws `webhook.not_found`. */
  async renewSecret(workgroup: string, id: string, by: Actor): Promise<SavedWebhook> {
    const { store, seal, now } = this.#options;
    const secret = newSigningSecret();
    const row = await store.alone(workgroup, id, async () => {
      const before = await this.#row(workgroup, id);
      const renewed = await store.set(workgroup, id, {
        secret: seal.close(secret, ownerOf(id, 'secret')),
        oldSecret: before.secret,
        oldSecretUntil: new Date(now() + OLD_SECRET_HOURS * 3_600_000),
      });
      if (!renewed) throw new AppError('webhook.not_found');
      this.#changed(renewed, by, { action: 'renew_secret' });
      return renewed;
    });
    return { ...(await this.#now(workgroup, row)), secret };
  }

  /** Sends a test past the waiting messages, without keeping it. Throws `webhook.not_found`, `webhook.busy`. */
  async test(workgroup: string, id: string, by: Actor): Promise<WebhookTest> {
    const { queue, now } = this.#options;
    const row = await this.#row(workgroup, id);
    this.#record(row, by, { action: 'test' });
    const data = { text: 'This is a test.' };
    const message = messageOf(workgroup, id, { event: 'test', at: now(), data }, now());
    try {
      const { status, tookMs, error } = await queue.call(row, message.id, message.body);
      return { ok: error === null, status, tookMs, error };
    } catch (error) {
      if (error instanceof QuotaUsed) throw new AppError('webhook.busy', { count: CALLS_AN_HOUR });
      throw error;
    }
  }

  /** Newest first. Throws `webhook.not_found`. */
  async deliveries(workgroup: string, id: string): Promise<WebhookDelivery[]> {
    await this.#row(workgroup, id);
    const shown = { most: SHOWN, characters: SHOWN_OF_ONE + 1 };
    return (await this.#options.store.last(workgroup, id, shown)).map(deliveryOf);
  }

  /** Throws `webhook.not_found`, `webhook.delivery_not_found`. */
  async again(workgroup: string, id: string, delivery: string, by: Actor): Promise<WebhookDelivery> {
    const { store, queue } = this.#options;
    const webhook = await this.#row(workgroup, id);
    const row = await store.again(workgroup, id, delivery);
    if (!row) throw new AppError('webhook.delivery_not_found');
    this.#changed(webhook, by, { action: 'send_again', newValue: delivery });
    await queue.look(workgroup);
    return deliveryOf(row);
  }

  async #row(workgroup: string, id: string): Promise<WebhookRow> {
    const row = await this.#options.store.find(workgroup, id);
    if (!row) throw new AppError('webhook.not_found');
    return row;
  }

  async #now(workgroup: string, row: WebhookRow): Promise<Webhook> {
    const all = await this.#options.store.list(workgroup);
    return this.#shown(row, all.find(({ id }) => id === row.id)?.waiting ?? 0);
  }

  #shown(row: WebhookRow, waiting: number): Webhook {
    const oldUntil = row.oldSecretUntil?.getTime() ?? null;
    return {
      _id: row.id,
      name: row.name,
      enabled: row.isEnabled,
      host: row.host,
      events: row.events,
      tables: row.tables,
      createdBy: row.createdBy,
      createdAt: row.createdAt.getTime(),
      lastOkAt: row.lastOkAt?.getTime() ?? null,
      lastError: row.lastError,
      failingSince: failingSinceOf(row)?.getTime() ?? null,
      nextAt: row.nextAt?.getTime() ?? null,
      offReason: row.offReason,
      waiting,
      oldSecretUntil: oldUntil !== null && oldUntil > this.#options.now() ? oldUntil : null,
    };
  }

  #changed(row: WebhookRow, by: Actor, what: Change): void {
    this.#options.tell('webhooks', row.workgroup);
    this.#record(row, by, what);
  }

  #record({ workgroup, name, id }: WebhookRow, { email, address }: Actor, what: Change): void {
    this.#options.audit.record({
      ...{ workgroup, at: this.#options.now(), controller: 'webhook', entity: `${name} (${id})` },
      ...what,
      by: email,
      address,
    });
  }
}

interface Change {
  action: string;
  oldValue?: string;
  newValue?: string;
}

/** Tables that a webhook did not have yet begin now. */
const rowsFrom = (
  { tables, rowsTold, rowsSeen, rowsSince }: WebhookRow,
  wanted: NewWebhook,
  now: number,
): Partial<Pick<WebhookRow, 'rowsTold' | 'rowsSeen'>> => {
  const all = tablesOf(wanted);
  const old = all.filter((table) => tables.includes(table));
  if (old.length === all.length && old.length === tables.length) return {};
  return {
    rowsTold: Object.fromEntries(old.flatMap((table) => (rowsTold[table] ? [[table, rowsTold[table]]] : []))),
    rowsSeen: Object.fromEntries(
      all.map((table) => [table, old.includes(table) ? (rowsSeen[table] ?? rowsSince.getTime()) : now]),
    ),
  };
};

const tablesOf = ({ events, tables }: NewWebhook): string[] =>
  events.includes('table.rows') ? [...new Set(tables)] : [];

/** For the audit log; of the address only the host. */
const textOf = ({ name, isEnabled, host, events, tables }: WebhookRow): string =>
  JSON.stringify({ name, enabled: isEnabled, host, events, tables });

const deliveryOf = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  event: row.event,
  createdAt: row.createdAt.getTime(),
  state: row.state,
  attempts: row.attempts,
  status: row.status,
  tookMs: row.tookMs,
  error: row.error,
  endedAt: row.endedAt?.getTime() ?? null,
  body: row.body.length > SHOWN_OF_ONE ? `${row.body.slice(0, SHOWN_OF_ONE)}…` : row.body,
});
