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
/** An insert may be readable so long after the time of storing that its rows have, ms. */
const LATE_MS = 15 * MINUTE_MS;
/** What has to be caught up on is read and written in spans of storing as long as this, ms. */
const STEP_MS = 30 * MINUTE_MS;
/** Rows that were stored longer ago are not told any more, ms. */
const BACK_MS = 24 * 60 * MINUTE_MS;
/** A workgroup begins no further step after so long in one look, ms: the others have their turn. */
const SHARE_MS = 20_000;
/** Messages of as many characters are written before the next table is read. */
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
 * What is new is read from the store, so nothing is lost where a process dies: it is caught up on, a day back at most. A
 * minute is looked at again for a quarter of an hour; where it has more rows by then, it is told again as a whole. A webhook
 * whose rows cannot be read holds up no other one. While a workgroup is suspended, its rows are passed over.
 */
export class WebhookRows {
  readonly #options: WebhookRowsOptions;
  /** When webhooks had their turn in this process, by a count of turns. */
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

  /** Those first whose last turn is longest ago. */
  async #inTurn(): Promise<WebhookRow[]> {
    const webhooks = await this.#options.store.wantingRows();
    const turnOf = ({ id }: WebhookRow) => this.#turns.get(id) ?? 0;
    this.#turns = new Map(webhooks.map((webhook) => [webhook.id, turnOf(webhook)]));
    return webhooks.sort((one, other) => turnOf(one) - turnOf(other));
  }

  /** Whether there is something to send. Begins no step after `endsAt`. */
  async #look(webhook: WebhookRow, endsAt: number, signal: AbortSignal | undefined): Promise<boolean> {
    const { store, isOpen, now } = this.#options;
    // A minute is told when it is over.
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
      const told: Told | null = await this.#step(at, { from, to, end }, signal);
      isTold ||= told?.isTold ?? false;
      if (to === end || performance.now() > endsAt) break;
      at = told?.webhook ?? null;
      from = at?.rowsSince.getTime() ?? end;
    }
    return isTold;
  }

  /** Tells what was stored in the span. Null where somebody else did it, or changed the webhook. */
  async #step(
    webhook: WebhookRow,
    { from, to, end }: { from: number; to: number; end: number },
    signal: AbortSignal | undefined,
  ): Promise<Told | null> {
    const keptFrom = Math.max(from, Math.min(to, end - LATE_MS));
    const isKept = (minute: number) => minute * MINUTE_MS + MINUTE_MS > keptFrom;
    let at = webhook;
    let isTold = false;
    let messages: NewDelivery[] = [];
    const write = async (told: Pick<WebhookRow, 'rowsTold' | 'rowsSince'>): Promise<boolean> => {
      if (!(await this.#options.store.tellRows(at, told, messages))) return false;
      isTold ||= messages.length > 0;
      messages = [];
      at = { ...at, ...told };
      return true;
    };
    const [all, kept]: [RowsTold, RowsTold] = [{}, {}];
    for (const table of webhook.tables) {
      const told = at.rowsTold[table] ?? {};
      const counts = await this.#telemetry.countNewly(
        { workgroup: webhook.workgroup, table, from, to },
        signal,
      );
      const counted: Record<string, number> = {};
      for (const [minute, count] of counts) {
        counted[minute] = Math.max(count, told[minute] ?? 0);
        if (count > (told[minute] ?? 0))
          messages.push(await this.#message(webhook, { from, table, minute, count }, signal));
      }
      all[table] = counted;
      const late = Object.entries(counted).filter(([minute]) => isKept(Number(minute)));
      if (late.length > 0) kept[table] = Object.fromEntries(late);
      const held = messages.reduce((sum, { body }) => sum + body.length, 0);
      // What is written so far is remembered, should the rest of the step fail.
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
    given: { from: number; table: string; minute: number; count: number },
    signal: AbortSignal | undefined,
  ): Promise<NewDelivery> {
    const { registry, now } = this.#options;
    const { table, minute, count } = given;
    const from = Math.max(minute * MINUTE_MS, given.from);
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

interface Told {
  /** As it is after the step. */
  webhook: WebhookRow;
  /** Whether there are messages. */
  isTold: boolean;
}

/** The first of them, as many as have at most so many bytes together. */
function within<T>(most: number, rows: readonly T[]): T[] {
  let bytes = 0;
  const tooMany = rows.findIndex((row) => {
    bytes += Buffer.byteLength(JSON.stringify(row));
    return bytes > most;
  });
  return tooMany < 0 ? [...rows] : rows.slice(0, tooMany);
}
