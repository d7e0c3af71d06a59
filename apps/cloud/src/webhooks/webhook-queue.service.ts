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
import { type DeliveryRow, failingSinceOf, type WebhookRow, type WebhooksStore } from './webhooks.store.ts';

/** Messages sent in one run; then it is the next webhook's turn. */
const IN_A_RUN = 50;
/** After this long a run starts no further message, ms, so that a slow receiver does not hold up others. */
const RUN_MS = 3_000;
/** Runs side by side in a process, and how many of them one workgroup may have; a further run waits, ms. */
const [AT_ONCE, OF_A_WORKGROUP, FULL_MS] = [8, 2, 5_000];
/** Pause after the first failure, and the longest one, s. It doubles with each failure. */
const AGAIN_S = { first: 30, most: 3600 } as const;
/** How long a workgroup waits that has used up its calls, ms. */
const QUOTA_MS = 300_000;
/** A message that is refused for its content is dropped after this many attempts, so that it does not hold up the others. */
const REFUSALS = 5;
/** Statuses that say something about the webhook or the moment, not about the message. */
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
 * Sends waiting messages, webhook by webhook.
 *
 * The messages of a webhook go out one by one, in the order in which they were written: the next one leaves when the one
 * before it was accepted. A message is sent at least once, always under its id. A webhook that fails is tried at longer and
 * longer intervals, and holds up nobody but itself.
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

  /** Sends again what failed, and what was waiting when this process started. */
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

  /** Starts sending the messages that are due, of one workgroup or of all. */
  async look(workgroup?: string): Promise<void> {
    const { store, jobs } = this.#options;
    const now = new Date(this.#options.now());
    await store.trim(workgroup);
    if (workgroup === undefined) await store.tidy(now);
    for (const { workgroup: of, id } of await store.due(now, workgroup))
      await jobs.send(this.sending, { workgroup: of, webhook: id });
  }

  /** Makes one call to the webhook as it is set up now; `body` is sent unchanged. Throws `QuotaUsed`. */
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
      // Read again: it may have been changed, turned off or deleted meanwhile.
      const webhook = await store.find(workgroup, id);
      if (!webhook || !this.#isOn(webhook, now())) return;
      // One at a time: together the messages may be large.
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
      if (webhook.nextAt !== null || failingSinceOf(webhook) !== null) tell('webhooks', workgroup);
      return true;
    }
    const isRefused = row.attempts + 1 >= REFUSALS && isAboutTheMessage(status);
    if (isRefused) {
      await store.noteDelivery(row, { state: 'dropped', status, tookMs, error, endedAt });
      // The refusal was about this message: the next ones are sent, unless all are refused for days.
      const after = await store.noteRefused(workgroup, id, { at: endedAt, error });
      const isOff = !after || (await this.#complain(after, answer));
      tell('webhooks', workgroup);
      return !isOff;
    }
    await store.noteDelivery(row, { status, tookMs, error });
    await this.#failed(webhook, answer);
    return false;
  }

  async #failed({ workgroup, id, failures }: WebhookRow, answer: WebhookAnswer): Promise<void> {
    const { store, tell, now } = this.#options;
    const waitS = Math.min(AGAIN_S.most, AGAIN_S.first * 2 ** Math.min(failures, 20));
    const at = new Date(now());
    const nextAt = new Date(now() + waitS * 1000);
    const after = await store.noteFailure(workgroup, id, { at, nextAt, error: answer.error ?? '' });
    if (after) await this.#complain(after, answer);
    tell('webhooks', workgroup);
  }

  /** Tells people of a webhook that delivers nothing, or turns it off. True if it is off now. */
  #complain(webhook: WebhookRow, { status, error }: WebhookAnswer): Promise<boolean> {
    const { store, calls, complain } = this.#options;
    const { workgroup, id, isReported } = webhook;
    return calls.failed({ failingSince: failingSinceOf(webhook), isReported }, status, {
      turnOff: (reason) => store.turnOff(workgroup, id, reason),
      report: () => store.report(workgroup, id),
      complain: (kind) => complain(webhook, kind, error ?? ''),
    });
  }
}

type SealedPart = 'address' | 'secret';

/** The owner name under which a webhook's address and secret are sealed. */
export const ownerOf = (webhook: string, part: SealedPart): string => `webhook:${webhook}:${part}`;

const isAboutTheMessage = (status: number | null): boolean =>
  status !== null && status >= 400 && status < 500 && !NOT_ABOUT_THE_MESSAGE.has(status);
