import { createHash, randomUUID } from 'node:crypto';
import {
  type NewPushSubscription,
  NOTIFY_LIMITS,
  type PushState,
} from '@albedo/contract/notifications/notifications.schema';
import type { Transaction } from '@albedo/postgres/postgres';
import { z } from 'zod';
import { AppError } from '../errors/app-error.ts';
import { defineJob, Hopeless } from '../jobs/job.ts';
import type { Jobs } from '../jobs/jobs.service.ts';
import type { OutsideFetch } from '../outbound/outside-fetch.ts';
import type { Seal } from '../secrets/sealed.ts';
import type { PushStore } from './push.store.ts';

/** Keys by which push services know this installation, as JSON. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

/** What a browser is to show; its service worker reads it. */
export interface Notice {
  title: string;
  body: string;
  /** Address in the app. */
  url: string;
  /** What takes the place of an earlier one. */
  tag: string;
  /** For the button that acknowledges; null where there is none. */
  acknowledge: { workgroup: string; incident: string } | null;
  /** What the button is called. */
  action: string;
}

/** A message that was not fetched for so long is worth nothing any more, s. */
const LIFE_S = 86_400;

const waiting = z.object({ workgroup: z.string(), userId: z.uuid(), sealed: z.string(), id: z.uuid() });

export interface PushOptions {
  store: PushStore;
  jobs: Pick<Jobs, 'send' | 'wake'>;
  gate: Pick<OutsideFetch, 'fetch'>;
  seal: Seal;
  /** Made at the first use. */
  keys: () => Promise<VapidKeys>;
  publicUrl: () => string;
  now: () => number;
}

/** Sends encrypted push messages to the browsers that people subscribed. Source: RFC 8030, 8291 and 8292. */
export class Push {
  readonly #options: PushOptions;

  readonly job = defineJob({
    name: 'notify-push',
    payload: waiting,
    limitS: 60,
    retry: { times: 6, afterS: 10, atMostS: 600 },
    sideBySide: 3,
    turns: { of: ({ workgroup }) => workgroup, atOnce: 2 },
    about: ({ workgroup }) => workgroup,
    run: ({ payload }) => this.#deliver(payload),
  });

  constructor(options: PushOptions) {
    this.#options = options;
  }

  async state(userId: string): Promise<PushState> {
    const rows = await this.#options.store.of(userId);
    return {
      publicKey: (await this.#options.keys()).publicKey,
      subscriptions: rows.map(({ id, label, fingerprint, createdAt, lastOkAt }) => ({
        _id: id,
        label,
        fingerprint,
        createdAt: createdAt.getTime(),
        lastOkAt: lastOkAt?.getTime() ?? null,
      })),
    };
  }

  /** Throws `push.too_many`. */
  async subscribe(userId: string, { label, ...wanted }: NewPushSubscription): Promise<PushState> {
    const { store, seal } = this.#options;
    const fingerprint = createHash('sha256').update(wanted.endpoint).digest('hex');
    const others = (await store.of(userId)).filter((row) => row.fingerprint !== fingerprint);
    if (others.length >= NOTIFY_LIMITS.browsers)
      throw new AppError('push.too_many', { count: NOTIFY_LIMITS.browsers });
    const id = randomUUID();
    const subscription = seal.close(JSON.stringify(wanted), ownerOf(id));
    await store.keep({ id, userId, fingerprint, label, subscription });
    return this.state(userId);
  }

  async unsubscribe(userId: string, id: string): Promise<PushState> {
    await this.#options.store.remove(id, userId);
    return this.state(userId);
  }

  /** Those of the people who can be reached so. */
  reached(userIds: readonly string[]): Promise<Set<string>> {
    return this.#options.store.reached(userIds);
  }

  /** Hands a notice over for one browser each, inside a transaction; call `wake` after it. */
  async hand(of: { workgroup: string; userId: string; notice: Notice }, inside?: Transaction): Promise<void> {
    const { jobs, seal } = this.#options;
    const id = randomUUID();
    const sealed = seal.close(JSON.stringify(of.notice), `push:${id}`);
    const payload = { workgroup: of.workgroup, userId: of.userId, sealed, id };
    await jobs.send(this.job, payload, inside ? { inside } : {});
  }

  wake(): void {
    this.#options.jobs.wake(this.job);
  }

  /** Sends a notice to every browser of a person at once. Throws `push.none`. */
  async test(userId: string, notice: Notice): Promise<{ sent: number }> {
    const rows = await this.#options.store.of(userId);
    if (rows.length === 0) throw new AppError('push.none');
    const sent = await Promise.allSettled(rows.map((row) => this.#send(row, notice)));
    return { sent: sent.filter((end) => end.status === 'fulfilled' && end.value).length };
  }

  /** All browsers are tried; one that takes nothing has none of the others get it twice. */
  async #deliver({ userId, sealed, id }: z.output<typeof waiting>): Promise<void> {
    const { store, seal } = this.#options;
    const notice = JSON.parse(seal.open(sealed, `push:${id}`)) as Notice;
    const rows = await store.of(userId);
    const ends = await Promise.allSettled(rows.map((row) => this.#send(row, notice)));
    const failed = ends.filter((end) => end.status === 'rejected');
    if (failed.length > 0 && failed.length === rows.length) throw failed[0]?.reason;
  }

  /** False where the browser is gone. */
  async #send(row: { id: string; subscription: string }, notice: Notice): Promise<boolean> {
    const { store, gate, seal, keys, publicUrl, now } = this.#options;
    const { generateRequestDetails } = (await import('web-push')).default;
    const subscription = JSON.parse(seal.open(row.subscription, ownerOf(row.id)));
    const host = new URL(publicUrl()).hostname;
    const details = generateRequestDetails(subscription, JSON.stringify(notice), {
      vapidDetails: { subject: `mailto:no-reply@${host}`, ...(await keys()) },
      TTL: LIFE_S,
      urgency: 'high',
      contentEncoding: 'aes128gcm',
    });
    const response = await gate.fetch(details.endpoint, {
      method: 'POST',
      headers: headersOf(details.headers),
      body: new Uint8Array(details.body),
    });
    await response.body?.cancel();
    if (response.ok) {
      await store.noteOk(row.id, new Date(now()));
      return true;
    }
    // The browser has ended the subscription.
    if (response.status === 404 || response.status === 410) {
      await store.remove(row.id);
      return false;
    }
    const reason = `The push service answered with status ${response.status}.`;
    throw response.status < 500 && response.status !== 429 ? new Hopeless(reason) : new Error(reason);
  }
}

const ownerOf = (id: string): string => `push-subscription:${id}`;

/** `fetch` counts the length itself. */
const headersOf = (headers: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.toLowerCase() === 'content-length' ? [] : [[name, String(value)]],
    ),
  );
