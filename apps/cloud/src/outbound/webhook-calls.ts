import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { OutboundQuota } from './outbound.quota.ts';
import { OutsideError, type OutsideFetch } from './outside-fetch.ts';

const DAY_MS = 86_400_000;
/** A webhook that takes nothing is told of after the first and turned off after the second, days. */
export const FAILING_DAYS = { reported: 1, off: 5 } as const;

/** How one call ended; `error` is null where the message was taken. */
export interface WebhookAnswer {
  /** Null where there was no answer. */
  status: number | null;
  tookMs: number;
  error: string | null;
}

/** Where a message goes, and what it is signed with: one secret, or an old one beside it. */
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

/** What a failure leads to, and what its feature does about it. Those that answer true were the first to do so. */
export interface FailureKeeper {
  turnOff: (reason: 'gone' | 'failed') => Promise<boolean>;
  report: () => Promise<boolean>;
  /** Tells those who look after it. */
  complain: (kind: FailureKind) => Promise<void>;
}

/** A workgroup has made all the calls of this hour. */
export class QuotaUsed extends Error {}

/**
 * Calls of webhooks, whoever they are of: signed, over the guard of addresses, counted, and turned off where they fail for
 * long. The id stands for the message, so every repeat has the same one. Source: Standard Webhooks.
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
      // What it says beside its status is not read, nor is it of interest whether that breaks off.
      await response.body?.cancel().catch(() => undefined);
      const { status, ok } = response;
      return { status, tookMs: tookMs(), error: ok ? null : `It answered with status ${status}.` };
    } catch (error) {
      if (error instanceof OutsideError)
        return { status: null, tookMs: tookMs(), error: sentence(error.message) };
      throw error;
    }
  }

  /** After a failure: turns off what is gone, or has failed for days, and tells of what fails for a day. True: it is off. */
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
