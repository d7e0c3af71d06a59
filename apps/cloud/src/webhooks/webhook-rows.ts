import { WEBHOOK_LIMITS } from '@albedo/contract/webhooks/webhooks.names';
import { z } from 'zod';
import { defineJob } from '../jobs/job.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { messageOf } from './webhook-events.service.ts';
import type { NewDelivery, WebhookRow, WebhooksStore } from './webhooks.store.ts';
import type { RowsTold } from './webhooks.tables.ts';

const MINUTE_MS = 60_000;
/** An insert may be readable so long after the time of storing that its rows have, minutes. */
const LATE_MINUTES = 15;

export interface WebhookRowsOptions {
  store: Pick<WebhooksStore, 'wantingRows' | 'tellRows'>;
  telemetry: Telemetry;
  registry: Pick<DeviceRegistry, 'known'>;
  isOpen: (workgroup: string) => boolean;
  wake: (workgroup: string) => Promise<void>;
  now: () => number;
}

/**
 * Tells webhooks of new rows: one message for a table and a minute of storing, with how many there are, of which sources, and
 * the first of them.
 *
 * What is new is read from the store, so nothing is lost where a process dies. A minute is looked at again for a quarter of an
 * hour; where it has more rows by then, it is told again as a whole.
 */
export class WebhookRows {
  readonly #options: WebhookRowsOptions;

  readonly looking = defineJob({
    name: 'webhook-rows',
    payload: z.object({}),
    limitS: 300,
    retry: { times: 0, afterS: 1, atMostS: 1 },
    oneAtATime: { key: () => 'all', waiting: 'one' },
    schedule: { cron: '* * * * *', zone: 'UTC', payload: {} },
    run: ({ signal }) => this.look(signal),
  });

  constructor(options: WebhookRowsOptions) {
    this.#options = options;
  }

  async look(signal?: AbortSignal): Promise<void> {
    const { store, isOpen, wake } = this.#options;
    for (const webhook of await store.wantingRows()) {
      signal?.throwIfAborted();
      if (isOpen(webhook.workgroup) && (await this.#look(webhook, signal))) await wake(webhook.workgroup);
    }
  }

  /** Whether there is something to send. */
  async #look(webhook: WebhookRow, signal: AbortSignal | undefined): Promise<boolean> {
    const { store, now } = this.#options;
    const from = webhook.rowsSince.getTime();
    // A minute is told when it is over.
    const to = Math.floor(now() / MINUTE_MS) * MINUTE_MS;
    if (to <= from) return false;
    const keptFrom = Math.max(from, to - LATE_MINUTES * MINUTE_MS);
    const rowsTold: RowsTold = {};
    const messages: NewDelivery[] = [];
    for (const table of webhook.tables) {
      const told = webhook.rowsTold[table] ?? {};
      const counts = await this.#telemetry.countNewly(
        { workgroup: webhook.workgroup, table, from, to },
        signal,
      );
      const kept: Record<string, number> = {};
      for (const [minute, count] of counts) {
        if (minute * MINUTE_MS + MINUTE_MS > keptFrom) kept[minute] = Math.max(count, told[minute] ?? 0);
        if (count > (told[minute] ?? 0))
          messages.push(await this.#message(webhook, { table, minute, count }, signal));
      }
      if (Object.keys(kept).length > 0) rowsTold[table] = kept;
    }
    const isWorthIt = messages.length > 0 || keptFrom - from >= LATE_MINUTES * MINUTE_MS;
    if (!isWorthIt) return false;
    const isOurs = await store.tellRows(webhook, { rowsTold, rowsSince: new Date(keptFrom) }, messages);
    return isOurs && messages.length > 0;
  }

  async #message(
    { workgroup, id, rowsSince }: WebhookRow,
    { table, minute, count }: { table: string; minute: number; count: number },
    signal: AbortSignal | undefined,
  ): Promise<NewDelivery> {
    const { registry, now } = this.#options;
    const from = Math.max(minute * MINUTE_MS, rowsSince.getTime());
    const to = (minute + 1) * MINUTE_MS;
    const { sources, rows } = await this.#telemetry.newly(
      { workgroup, table, from, to, sources: WEBHOOK_LIMITS.sources, rows: WEBHOOK_LIMITS.rows },
      signal,
    );
    const time = (at: number) => new Date(at).toISOString();
    const data = {
      table,
      storedFrom: time(from),
      storedTo: time(to),
      count,
      /** False where rows or sources are left out: ask the API for the rest. */
      isWhole: rows.length >= count && sources.length < WEBHOOK_LIMITS.sources,
      sources: sources.map(({ device, source, count: events, firstAt, lastAt }) => ({
        device,
        deviceName: registry.known(device)?.name ?? null,
        source,
        count: events,
        firstAt: time(firstAt),
        lastAt: time(lastAt),
      })),
      rows,
    };
    return messageOf(workgroup, id, { event: 'table.rows', at: to, data }, now());
  }

  get #telemetry() {
    return this.#options.telemetry.asSystem('webhooks');
  }
}
