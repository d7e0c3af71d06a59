import { WEBHOOK_LIMITS } from '@albedo/contract/webhooks/webhooks.names';
import type { Logger } from 'pino';
import { z } from 'zod';
import { defineJob } from '../jobs/job.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { messageOf } from './webhook-events.service.ts';
import type { NewDelivery, WebhookRow, WebhooksStore } from './webhooks.store.ts';

const MINUTE_MS = 60_000;
/** Rows may become readable this long after their time of storing, ms. */
const LATE_MS = 15 * MINUTE_MS;
/** Catching up goes in steps of this much storing time, ms. */
const STEP_MS = 30 * MINUTE_MS;
/** Rows stored longer ago than this are not reported any more, ms. */
const BACK_MS = 24 * 60 * MINUTE_MS;
/** A workgroup starts no further step after this much time in one look, ms: then it is the others' turn. */
const SHARE_MS = 20_000;

export interface WebhookRowsOptions {
  store: Pick<WebhooksStore, 'wantingRows' | 'tellRows'>;
  telemetry: Telemetry;
  registry: Pick<DeviceRegistry, 'known'>;
  isOpen: (workgroup: string) => boolean;
  wake: (workgroup: string) => Promise<void>;
  now: () => number;
  log: Logger;
}

/**
 * Tells webhooks of new rows: one message for a table and a minute of storing, with how many there are, of which sources, and
 * the first of them.
 *
 * New rows are read from the store, so nothing is lost when a process dies: the next one catches up, a day back at most. Each
 * minute is checked again for a quarter of an hour; if it has more rows by then, all of it is reported again. Each table of a
 * webhook goes on by itself: one that cannot be read holds up no other one. Rows of a suspended workgroup are skipped.
 */
export class WebhookRows {
  readonly #options: WebhookRowsOptions;
  /** The number of each webhook's last turn in this process. */
  #turns = new Map<string, number>();
  #turn = 0;

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
    const { wake, log } = this.#options;
    const spentMs = new Map<string, number>();
    for (const webhook of await this.#inTurn()) {
      signal?.throwIfAborted();
      const { workgroup, id } = webhook;
      const spent = spentMs.get(workgroup) ?? 0;
      if (spent >= SHARE_MS) continue;
      const startedAt = performance.now();
      this.#turns.set(id, ++this.#turn);
      try {
        if (await this.#look(webhook, startedAt + SHARE_MS - spent, signal)) await wake(workgroup);
      } catch (err) {
        signal?.throwIfAborted();
        log.error({ err, workgroup, webhook: id }, 'a webhook was not told of new rows');
      }
      spentMs.set(workgroup, spent + performance.now() - startedAt);
    }
  }

  /** The webhook that has waited longest comes first. */
  async #inTurn(): Promise<WebhookRow[]> {
    const webhooks = await this.#options.store.wantingRows();
    const turnOf = ({ id }: WebhookRow) => this.#turns.get(id) ?? 0;
    this.#turns = new Map(webhooks.map((webhook) => [webhook.id, turnOf(webhook)]));
    return webhooks.sort((a, b) => turnOf(a) - turnOf(b));
  }

  /** Whether there is something to send. Each table gets a step; no further one starts after `endsAt`. */
  async #look(webhook: WebhookRow, endsAt: number, signal: AbortSignal | undefined): Promise<boolean> {
    const { store, isOpen, now, log } = this.#options;
    // A minute is reported once it is over.
    const end = Math.floor(now() / MINUTE_MS) * MINUTE_MS;
    if (!isOpen(webhook.workgroup)) {
      if (end - webhook.rowsSince.getTime() >= LATE_MS)
        await store.tellRows(webhook, { rowsTold: {}, rowsSince: new Date(end), rowsSeen: {} }, []);
      return false;
    }
    let at = webhook;
    let isTold = false;
    let behind: readonly string[] = webhook.tables;
    do {
      const further: string[] = [];
      for (const table of behind) {
        signal?.throwIfAborted();
        try {
          const step = await this.#step(at, { table, end }, signal);
          if (step === null) return isTold;
          at = step.webhook;
          isTold ||= step.isTold;
          if (step.isBehind) further.push(table);
        } catch (err) {
          signal?.throwIfAborted();
          const { workgroup, id } = webhook;
          log.error({ err, workgroup, webhook: id, table }, 'a webhook was not told of new rows of a table');
        }
      }
      behind = further;
    } while (behind.length > 0 && performance.now() <= endsAt);
    return isTold;
  }

  /** Reports the next stored rows of a table. Null if another process did so, or somebody changed the webhook. */
  async #step(
    webhook: WebhookRow,
    { table, end }: { table: string; end: number },
    signal: AbortSignal | undefined,
  ): Promise<Step | null> {
    const { workgroup, rowsSince, rowsSeen, rowsTold } = webhook;
    const from = Math.max(rowsSeen[table] ?? rowsSince.getTime(), end - BACK_MS);
    if (from >= end) return { webhook, isTold: false, isBehind: false };
    const to = Math.min(end, Math.floor((from + STEP_MS) / MINUTE_MS) * MINUTE_MS);
    const keptFrom = Math.max(from, Math.min(to, end - LATE_MS));
    const isKept = (minute: number) => minute * MINUTE_MS + MINUTE_MS > keptFrom;
    const before = rowsTold[table] ?? {};
    const kept: Record<string, number> = {};
    const messages: NewDelivery[] = [];
    for (const [minute, count] of await this.#telemetry.countNewly({ workgroup, table, from, to }, signal)) {
      const reported = before[minute] ?? 0;
      if (isKept(minute)) kept[minute] = Math.max(count, reported);
      if (count > reported)
        messages.push(await this.#message(webhook, { from, table, minute, count }, signal));
    }
    const isBehind = to < end;
    const isWorthIt = messages.length > 0 || isBehind || keptFrom - from >= LATE_MS;
    if (!isWorthIt) return { webhook, isTold: false, isBehind };
    const progress = {
      rowsSince,
      rowsTold: { ...rowsTold, [table]: kept },
      rowsSeen: { ...rowsSeen, [table]: keptFrom },
    };
    if (!(await this.#options.store.tellRows(webhook, progress, messages))) return null;
    return { webhook: { ...webhook, ...progress }, isTold: messages.length > 0, isBehind };
  }

  async #message(
    { workgroup, id }: WebhookRow,
    { from: stepFrom, table, minute, count }: { from: number; table: string; minute: number; count: number },
    signal: AbortSignal | undefined,
  ): Promise<NewDelivery> {
    const { registry, now } = this.#options;
    const from = Math.max(minute * MINUTE_MS, stepFrom);
    const to = (minute + 1) * MINUTE_MS;
    const { sources, rows: first } = await this.#telemetry.newly(
      { workgroup, table, from, to, sources: WEBHOOK_LIMITS.sources, rows: WEBHOOK_LIMITS.rows },
      signal,
    );
    const rows = within(WEBHOOK_LIMITS.bytes, first);
    const time = (at: number) => new Date(at).toISOString();
    const data = {
      table,
      storedFrom: time(from),
      storedTo: time(to),
      count,
      /** False if rows or sources are left out: ask the API for the rest. */
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

interface Step {
  /** The webhook as it is after the step. */
  webhook: WebhookRow;
  /** Whether there are messages. */
  isTold: boolean;
  /** Whether the table has further steps to go. */
  isBehind: boolean;
}

/** As many of the first rows as fit into this many bytes. */
function within<T>(most: number, rows: readonly T[]): T[] {
  let bytes = 0;
  const tooMany = rows.findIndex((row) => {
    bytes += Buffer.byteLength(JSON.stringify(row));
    return bytes > most;
  });
  return tooMany < 0 ? [...rows] : rows.slice(0, tooMany);
}
