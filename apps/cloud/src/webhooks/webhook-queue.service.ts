import type { Logger } from 'pino';
import { z } from 'zod';
import { defineJob } from '../jobs/job.ts';
import type { Jobs } from '../jobs/jobs.service.ts';
import {
  type FailureKind,
  QuotaUsed,
  type WebhookAnswer,
  type WebhookCalls,
} from '../outbound/webhook-calls.ts';
import type { Seal } from '../secrets/sealed.ts';
import type { TellList } from '../sockets/lists.ts';
import type { DeliveryRow, WebhookRow, WebhooksStore } from './webhooks.store.ts';

/** Messages of one run; then the next webhook has its turn. */
const IN_A_RUN = 50;
/** A run ends after the message that is on its way by then, ms: a slow receiver holds up others no longer. */
const RUN_MS = 3_000;
/** Runs of one workgroup side by side, of all that a process has; a further one waits, ms. */
const [AT_ONCE, OF_A_WORKGROUP, FULL_MS] = [8, 2, 5_000];
/** After the first failure, and at most, s. Each time it is double. */
const AGAIN_S = { first: 30, most: 3600 } as const;
/** A workgroup that has made all its calls waits so long, ms. */
const QUOTA_MS = 300_000;
/** A message that is refused for what it says goes after so many attempts, so that it does not hold up all others. */
const REFUSALS = 5;
/** Answers that say something about the webhook, or about now, and not about the message. */
const NOT_ABOUT_THE_MESSAGE = new Set([401, 403, 404, 407, 408, 410, 425, 429]);

const webhookOf = z.object({ workgroup: z.string(), webhook: z.uuid() });

export interface WebhookQueueOptions {
  store: Pick<
    WebhooksStore,
    | 'find'
    | 'next'
    | 'due'
    | 'noteOk'
    | 'noteFailure'
    | 'noteDelivery'
    | 'noteRefused'
    | 'trim'
    | 'postpone'
    | 'report'
    | 'turnOff'
    | 'tidy'
  >;
  calls: WebhookCalls;
  seal: Seal;
  jobs: Pick<Jobs, 'send'>;
  isOpen: (workgroup: string) => boolean;
  tell: TellList;
  now: () => number;
  complain: (webhook: WebhookRow, kind: FailureKind, error: string) => Promise<void>;
  log: Logger;
}

/**
 * Sends what waits, webhook by webhook.
 *
 * The messages of one webhook go out one after the other in the order in which they were written: the next one when the one
 * before was taken. A message is sent at least once, always under its id. A webhook that fails is asked again later and later,
 * and holds up nobody but itself.
 */
export class WebhookQueue {
  readonly #options: WebhookQueueOptions;
  /** Runs under way, by workgroup. */
  readonly #running = new Map<string, number>();

  readonly sending = defineJob({
    name: 'webhook-send',
    payload: webhookOf,
    limitS: 120,
    retry: { times: 3, afterS: 5, atMostS: 60 },
    oneAtATime: { key: ({ webhook }) => webhook, waiting: 'one' },
    sideBySide: AT_ONCE,
    about: ({ workgroup }) => workgroup,
    run: ({ payload, signal }) => this.#inTurn(payload, signal),
  });

  /** What failed is tried again, and what a start found waiting. */
  readonly looking = defineJob({
    name: 'webhook-look',
    payload: z.object({}),
    limitS: 50,
    retry: { times: 0, afterS: 1, atMostS: 1 },
    oneAtATime: { key: () => 'all', waiting: 'one' },
    schedule: { cron: '* * * * *', zone: 'UTC', payload: {} },
    run: () => this.look(),
  });

  constructor(options: WebhookQueueOptions) {
    this.#options = options;
  }

  /** Has sent what waits and is due; of one workgroup, or of all. */
  async look(workgroup?: string): Promise<void> {
    const { store, jobs } = this.#options;
    const now = new Date(this.#options.now());
    await store.trim(workgroup);
    if (workgroup === undefined) await store.tidy(now);
    for (const { workgroup: of, id } of await store.due(now, workgroup))
      await jobs.send(this.sending, { workgroup: of, webhook: id });
  }

  /** One call, with what it says now; `body` is sent as it is. Throws `QuotaUsed`. */
  call(webhook: WebhookRow, id: string, body: string): Promise<WebhookAnswer> {
    const { calls, seal } = this.#options;
    const { workgroup, oldSecret, oldSecretUntil } = webhook;
    const open = (part: SealedPart, sealed: string) => seal.open(sealed, ownerOf(webhook.id, part));
    const isOldGood = oldSecretUntil !== null && oldSecretUntil.getTime() > this.#options.now();
    const secrets = [
      open('secret', webhook.secret),
      ...(oldSecret !== null && isOldGood ? [open('secret', oldSecret)] : []),
    ];
    return calls.call({ workgroup, address: open('address', webhook.address), secrets }, id, () => body);
  }

  async #inTurn(of: z.output<typeof webhookOf>, signal: AbortSignal): Promise<void> {
    const { jobs, now } = this.#options;
    const running = this.#running.get(of.workgroup) ?? 0;
    if (running >= OF_A_WORKGROUP) {
      await jobs.send(this.sending, of, { after: new Date(now() + FULL_MS) });
      return;
    }
    this.#running.set(of.workgroup, running + 1);
    try {
      await this.#send(of, signal);
    } finally {
      const left = (this.#running.get(of.workgroup) ?? 1) - 1;
      if (left > 0) this.#running.set(of.workgroup, left);
      else this.#running.delete(of.workgroup);
    }
  }

  async #send({ workgroup, webhook: id }: z.output<typeof webhookOf>, signal: AbortSignal): Promise<void> {
    const { store, jobs, now } = this.#options;
    const endsAt = performance.now() + RUN_MS;
    for (let sent = 0; sent < IN_A_RUN && performance.now() <= endsAt; sent++) {
      // Changed, turned off or deleted meanwhile.
      const webhook = await store.find(workgroup, id);
      if (!webhook || !this.#isOn(webhook, now())) return;
      // One by one: together they may be large.
      const row = await store.next(workgroup, id);
      if (!row || !(await this.#attempt(webhook, row))) return;
      signal.throwIfAborted();
    }
    await jobs.send(this.sending, { workgroup, webhook: id });
  }

  #isOn({ workgroup, isEnabled, nextAt }: WebhookRow, now: number): boolean {
    return isEnabled && this.#options.isOpen(workgroup) && (nextAt === null || nextAt.getTime() <= now);
  }

  /** Whether the next message may follow. */
  async #attempt(webhook: WebhookRow, row: DeliveryRow): Promise<boolean> {
    const { store, tell, now, log } = this.#options;
    const { workgroup, id } = webhook;
    let answer: WebhookAnswer;
    try {
      answer = await this.call(webhook, row.id, row.body);
    } catch (error) {
      if (error instanceof QuotaUsed) {
        await store.postpone(workgroup, id, new Date(now() + QUOTA_MS));
        return false;
      }
      log.error({ err: error, workgroup, webhook: id }, 'a message could not be sent to a webhook');
      answer = { status: null, tookMs: 0, error: 'It could not be sent.' };
    }
    const { status, tookMs, error } = answer;
    const endedAt = new Date(now());
    if (error === null) {
      await store.noteDelivery(row, { state: 'delivered', status, tookMs, error, endedAt });
      await store.noteOk(workgroup, id, endedAt);
      if (webhook.failingSince !== null || webhook.nextAt !== null) tell('webhooks', workgroup);
      return true;
    }
    const isRefused = row.attempts + 1 >= REFUSALS && isAboutTheMessage(status);
    if (isRefused) {
      await store.noteDelivery(row, { state: 'dropped', status, tookMs, error, endedAt });
      // It was about the message: it says nothing about those that follow.
      await store.noteRefused(workgroup, id, error);
      tell('webhooks', workgroup);
      return true;
    }
    await store.noteDelivery(row, { status, tookMs, error });
    await this.#failed(webhook, answer);
    return false;
  }

  async #failed({ workgroup, id, failures }: WebhookRow, { status, error }: WebhookAnswer): Promise<void> {
    const { store, calls, complain, tell, now } = this.#options;
    const waitS = Math.min(AGAIN_S.most, AGAIN_S.first * 2 ** Math.min(failures, 20));
    const at = new Date(now());
    const nextAt = new Date(now() + waitS * 1000);
    const after = await store.noteFailure(workgroup, id, { at, nextAt, error: error ?? '' });
    if (after)
      await calls.failed(after, status, {
        turnOff: (reason) => store.turnOff(workgroup, id, reason),
        report: () => store.report(workgroup, id),
        complain: (kind) => complain(after, kind, error ?? ''),
      });
    tell('webhooks', workgroup);
  }
}

type SealedPart = 'address' | 'secret';

/** Whom what is sealed of a webhook is sealed for. */
export const ownerOf = (webhook: string, part: SealedPart): string => `webhook:${webhook}:${part}`;

const isAboutTheMessage = (status: number | null): boolean =>
  status !== null && status >= 400 && status < 500 && !NOT_ABOUT_THE_MESSAGE.has(status);
