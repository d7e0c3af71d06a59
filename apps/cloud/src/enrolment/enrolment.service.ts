import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '../errors/app-error.ts';
import type { EnrolmentStore } from './enrolment.store.ts';

/** Life of a one-time token for an agent pack. */
export const PACK_TOKEN_MS = 3_600_000;

/** One-time tokens with which a machine fetches its agent pack. Only their hash is kept. */
export class Enrolment {
  readonly #store: EnrolmentStore;

  constructor(store: EnrolmentStore) {
    this.#store = store;
  }

  /** A new token for the device; earlier ones that were not used are no longer good. Throws `device.not_found`. */
  async offer(deviceId: string, now = Date.now()): Promise<{ token: string; expiresAt: number }> {
    const token = randomBytes(32).toString('base64url');
    const expiresAt = now + PACK_TOKEN_MS;
    const row = { tokenHash: hashOf(token), deviceId, expiresAt: new Date(expiresAt) };
    if (!(await this.#store.replace(row, new Date(now)))) throw new AppError('device.not_found');
    return { token, expiresAt };
  }

  /** Device of a token that can still be used. Throws `pack.token_invalid`. */
  async check(token: string): Promise<string> {
    const deviceId = await this.#store.deviceOf(hashOf(token));
    if (!deviceId) throw new AppError('pack.token_invalid');
    return deviceId;
  }

  /** Uses the token up. Throws `pack.token_invalid` when somebody else was faster. */
  async redeem(token: string): Promise<string> {
    const deviceId = await this.#store.use(hashOf(token));
    if (!deviceId) throw new AppError('pack.token_invalid');
    return deviceId;
  }
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
