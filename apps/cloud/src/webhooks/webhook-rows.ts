import { WEBHOOK_LIMITS } from '@albedo/contract/webhooks/webhooks.names';
import type { Logger } from 'pino';
import { z } from 'zod';
import { defineJob } from '../jobs/job.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { messageOf } from './webhook-events.service.ts';
import type { NewDelivery, WebhookRow, WebhooksStore } from './webhooks.store.ts';
import type { RowsTold } from './webhooks.tables.ts';

const MINUTE_MS = 60_000;
/** Rows may become readable this long after their time of storing, ms. */
const LATE_MS = 15 * MINUTE_MS;
/** Catching up goes in steps of this much storing time, ms. */
const STEP_MS = 30 * MINUTE_MS;
/** Rows stored longer ago than this are not reported any more, ms. */
const BACK_MS = 24 * 60 * MINUTE_MS;
/** A workgroup starts no further step after this much time in one look, ms: then it is the others' turn. */
const SHARE_MS = 20_000;
/** Once the collected messages have this many characters, they are written before the next table is read. */
const HELD = 4_000_000;

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
 * minute is checked again for a quarter of an hour; if it has more rows by then, all of it is reported again. A webhook whose
 * rows cannot be read holds up no other one. Rows of a suspended workgroup are skipped.
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

  /** Whether there is something to send. Starts no step after `endsAt`. */
  async #look(webhook: WebhookRow, endsAt: number, signal: AbortSignal | undefined): Promise<boolean> {
    const { store, isOpen, now } = this.#options;
    // A minute is reported once it is over.
    const end = Math.floor(now() / MINUTE_MS) * MINUTE_MS;
    const since = webhook.rowsSince.getTime();
    if (!isOpen(webhook.workgroup)) {
      if (end - since >= LATE_MS)
        await store.tellRows(webhook, { rowsTold: {}, rowsSince: new Date(end) }, []);
      return false;
    }
    let isTold = false;
    let from = Math.max(since, end - BACK_MS);
    let at: WebhookRow | null = webhook;
    while (at && from < end) {
      signal?.throwIfAborted();
      const to = Math.min(end, Math.floor((from + STEP_MS) / MINUTE_MS) * MINUTE_MS);
      const step: Step | null = await this.#step(at, { from, to, end }, signal);
      isTold ||= step?.isTold ?? false;
      if (to === end || performance.now() > endsAt) break;
      at = step?.webhook ?? null;
      from = at?.rowsSince.getTime() ?? end;
    }
    return isTold;
  }

  /** Reports what was stored in the span. Null if another process did so, or somebody changed the webhook. */
  async #step(
    webhook: WebhookRow,
    { from, to, end }: { from: number; to: number; end: number },
    signal: AbortSignal | undefined,
  ): Promise<Step | null> {
    const keptFrom = Math.max(from, Math.min(to, end - LATE_MS));
    const isKept = (minute: number) => minute * MINUTE_MS + MINUTE_MS > keptFrom;
    let at = webhook;
    let isTold = false;
    let messages: NewDelivery[] = [];
    const write = async (progress: Pick<WebhookRow, 'rowsTold' | 'rowsSince'>): Promise<boolean> => {
      if (!(await this.#options.store.tellRows(at, progress, messages))) return false;
      isTold ||= messages.length > 0;
      messages = [];
      at = { ...at, ...progress };
      return true;
    };
    const [all, kept]: [RowsTold, RowsTold] = [{}, {}];
    for (const table of webhook.tables) {
      const countsBefore = at.rowsTold[table] ?? {};
      const counts = await this.#telemetry.countNewly(
        { workgroup: webhook.workgroup, table, from, to },
        signal,
      );
      const counted: Record<string, number> = {};
      for (const [minute, count] of counts) {
        counted[minute] = Math.max(count, countsBefore[minute] ?? 0);
        if (count > (countsBefore[minute] ?? 0))
          messages.push(await this.#message(webhook, { from, table, minute, count }, signal));
      }
      all[table] = counted;
      const late = Object.entries(counted).filter(([minute]) => isKept(Number(minute)));
      if (late.length > 0) kept[table] = Object.fromEntries(late);
      const held = messages.reduce((sum, { body }) => sum + body.length, 0);
      // Write what there is, in case the rest of the step fails.
      if (held >= HELD) {
        const rowsTold = { ...at.rowsTold, ...all };
        if (!(await write({ rowsTold, rowsSince: new Date(from) }))) return null;
      }
    }
    const isWorthIt = messages.length > 0 || to < end || keptFrom - from >= LATE_MS;
    const isAhead = at !== webhook;
    if ((isWorthIt || isAhead) && !(await write({ rowsTold: kept, rowsSince: new Date(keptFrom) })))
      return null;
    return { webhook: at, isTold };
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
