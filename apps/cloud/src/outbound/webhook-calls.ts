import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { OutboundQuota } from './outbound.quota.ts';
import { OutsideError, type OutsideFetch } from './outside-fetch.ts';

const DAY_MS = 86_400_000;
/** After how many days of failures a webhook is reported, and turned off. */
export const FAILING_DAYS = { reported: 1, off: 5 } as const;

/** How a call ended; `error` is null if the message was accepted. */
export interface WebhookAnswer {
  /** Null if there was no answer. */
  status: number | null;
  tookMs: number;
  error: string | null;
}

/** Where a message goes, and the secrets it is signed with: the current one, and the old one while it is still valid. */
export interface WebhookTarget {
  workgroup: string;
  address: string;
  secrets: readonly string[];
  headers?: Readonly<Record<string, string>>;
}

/** It has failed for a day, was turned off for failing, or was turned off because it says that it is gone. */
export type FailureKind = 'failing' | 'off' | 'gone';

/** The state of a webhook that just failed. */
export interface FailingWebhook {
  failingSince: Date | null;
  isReported: boolean;
}

/** What a feature does about a failure. `turnOff` and `report` return true for the first caller only. */
export interface FailureKeeper {
  turnOff: (reason: 'gone' | 'failed') => Promise<boolean>;
  report: () => Promise<boolean>;
  /** Tells the people who look after the webhook. */
  complain: (kind: FailureKind) => Promise<void>;
}

/** The workgroup has used up its calls of this hour. */
export class QuotaUsed extends Error {}

/**
 * Calls webhooks for every feature that has some: signs and counts the calls, refuses private addresses, and turns off what
 * fails for days. Every repeat of a message has the same id. Source: Standard Webhooks.
 */
export class WebhookCalls {
  readonly #options: { gate: Pick<OutsideFetch, 'fetch'>; quota: OutboundQuota; now: () => number };

  constructor(options: { gate: Pick<OutsideFetch, 'fetch'>; quota: OutboundQuota; now: () => number }) {
    this.#options = options;
  }

  /** One attempt; `at` is epoch ms. Throws `QuotaUsed`, in which case nothing was sent. */
  async call(to: WebhookTarget, id: string, bodyOf: (at: number) => string): Promise<WebhookAnswer> {
    const { gate, quota, now } = this.#options;
    const at = now();
    if (!quota.take(to.workgroup, at)) throw new QuotaUsed();
    const body = bodyOf(at);
    const startedAt = performance.now();
    const tookMs = () => Math.round(performance.now() - startedAt);
    try {
      const response = await gate.fetch(to.address, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(at / 1000)),
          'webhook-signature': to.secrets
            .map((secret) => new Webhook(secret).sign(id, new Date(at), body))
            .join(' '),
          ...to.headers,
        },
        body,
      });
      // Only the status counts: the body is not read, and it does not matter if it breaks off.
      await response.body?.cancel().catch(() => undefined);
      const { status, ok } = response;
      return { status, tookMs: tookMs(), error: ok ? null : `It answered with status ${status}.` };
    } catch (error) {
      if (error instanceof OutsideError)
        return { status: null, tookMs: tookMs(), error: sentence(error.message) };
      throw error;
    }
  }

  /** Turns off a webhook that is gone or has failed for days, and reports one that has failed for a day. True if it is off now. */
  async failed(
    { failingSince, isReported }: FailingWebhook,
    status: number | null,
    keeper: FailureKeeper,
  ): Promise<boolean> {
    const failedMs = failingSince ? this.#options.now() - failingSince.getTime() : 0;
    const isGone = status === 410;
    if (isGone || failedMs >= FAILING_DAYS.off * DAY_MS) {
      const [reason, kind] = isGone ? (['gone', 'gone'] as const) : (['failed', 'off'] as const);
      if (await keeper.turnOff(reason)) await keeper.complain(kind);
      return true;
    }
    if (failedMs >= FAILING_DAYS.reported * DAY_MS && !isReported && (await keeper.report()))
      await keeper.complain('failing');
    return false;
  }
}

/** Source: Standard Webhooks, "Signing secret": 24 to 64 random bytes. */
export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
