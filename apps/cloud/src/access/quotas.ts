import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import { AppError } from '../errors/app-error.ts';

/**
 * What one person, or token, and one workgroup may use of this process, so that none takes it from the others. Requests
 * are those of a minute, sockets and queries those at the same time.
 */
export const DEFAULT_QUOTAS = {
  'sockets-per-person': 60,
  'sockets-per-workgroup': 2000,
  'requests-per-person': 6000,
  'requests-per-workgroup': 60_000,
  'queries-per-person': 32,
  'queries-per-workgroup': 160,
} as const;

export type QuotaName = keyof typeof DEFAULT_QUOTAS;
export type QuotaLimits = Readonly<Record<QuotaName, number>>;

/** Requests are counted in windows of this length, ms. */
const WINDOW_MS = 60_000;

type Used = Map<string, number>;

/** Counts what people and workgroups use. Throws `request.quota`, which names the quota, for what is above one. */
export class Quotas {
  readonly #limits: QuotaLimits;
  readonly #now: () => number;
  readonly #held: Used = new Map();
  #requests: Used = new Map();
  #windowEndsAt = 0;

  constructor(limits: QuotaLimits = DEFAULT_QUOTAS, now: () => number = Date.now) {
    this.#limits = limits;
    this.#now = now;
  }

  /** One more request; `workgroup` is null for what concerns none. */
  request({ _id }: SessionClaims, workgroup: string | null): void {
    const now = this.#now();
    if (now >= this.#windowEndsAt) {
      this.#requests = new Map();
      this.#windowEndsAt = now + WINDOW_MS;
    }
    for (const [quota, key] of keysOf('requests', _id, workgroup)) {
      const count = (this.#requests.get(key) ?? 0) + 1;
      const retryAfterS = (this.#windowEndsAt - now) / 1000;
      if (count > this.#limits[quota]) throw this.#refusal(quota, { retryAfterS });
      this.#requests.set(key, count);
    }
  }

  /** Holds a place until the function that it answers is called; calling that again does nothing. */
  hold(what: 'sockets' | 'queries', { _id }: SessionClaims, workgroup: string | null): () => void {
    const keys = keysOf(what, _id, workgroup);
    for (const [quota, key] of keys)
      if ((this.#held.get(key) ?? 0) >= this.#limits[quota]) throw this.#refusal(quota);
    for (const [, key] of keys) this.#held.set(key, (this.#held.get(key) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      for (const [, key] of keys) {
        const left = (this.#held.get(key) ?? 1) - 1;
        if (left > 0) this.#held.set(key, left);
        else this.#held.delete(key);
      }
    };
  }

  #refusal(quota: QuotaName, facts: { retryAfterS?: number } = {}): AppError {
    return new AppError('request.quota', { quota, limit: this.#limits[quota], ...facts });
  }
}

function keysOf<W extends 'sockets' | 'queries' | 'requests'>(
  what: W,
  person: string,
  workgroup: string | null,
): [`${W}-per-${'person' | 'workgroup'}`, string][] {
  const own: [`${W}-per-${'person' | 'workgroup'}`, string] = [`${what}-per-person`, `${what} of ${person}`];
  return workgroup === null ? [own] : [own, [`${what}-per-workgroup`, `${what} in ${workgroup}`]];
}
