import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import type { OpenSession, OpenSessionsStore } from './open-sessions.store.ts';

/** From where a session is used. */
export interface Use {
  address: string;
  /** What the browser says it is. */
  agent: string;
  /** False for what a screen asks by itself while nobody touches it. */
  isByHand: boolean;
}

/** A sign of life is kept this often, ms. */
const KEEP_EVERY_MS = 60_000;
const AGENT_LENGTH = 300;
/** Sessions in memory; it simply starts over when it is full. */
const REMEMBERED = 20_000;

/** Which sessions are in use, since when and from where; and whether one was left alone for too long. */
export class OpenSessions {
  readonly #store: OpenSessionsStore;
  readonly #seen = new Map<string, { at: number; keptAt: number }>();
  #limits: ReadonlyMap<string, number> = new Map();

  constructor(store: OpenSessionsStore) {
    this.#store = store;
  }

  async start(): Promise<void> {
    this.#limits = await this.#store.limits();
  }

  /** Takes over what a workgroup says now. */
  async readLimit(workgroup: string): Promise<void> {
    const limit = (await this.#store.limits(workgroup)).get(workgroup);
    const limits = new Map(this.#limits);
    if (limit === undefined) limits.delete(workgroup);
    else limits.set(workgroup, limit);
    this.#limits = limits;
  }

  /** Minutes after which the session ends when nobody uses it: the shortest of its workgroups; null for none. */
  limitOf({ memberOf }: Pick<SessionClaims, 'memberOf'>): number | null {
    const limits = memberOf.flatMap((name) => this.#limits.get(name) ?? []);
    return limits.length > 0 ? Math.min(...limits) : null;
  }

  /** Takes a use of the session down; false when it was left alone for too long before. */
  async use(session: SessionClaims, { address, agent, isByHand }: Use, now = Date.now()): Promise<boolean> {
    const { jti } = session;
    const seen = this.#seen.get(jti) ?? (await this.#know(session, address, agent, now));
    const limit = this.limitOf(session);
    if (limit !== null && now - seen.at > limit * 60_000) {
      // Another process may have seen it since.
      const kept = await this.#store.get(jti);
      seen.at = Math.max(seen.at, kept?.seenAt.getTime() ?? 0);
      if (now - seen.at > limit * 60_000) return false;
    }
    if (!isByHand) return true;
    seen.at = now;
    if (now - seen.keptAt < KEEP_EVERY_MS) return true;
    seen.keptAt = now;
    await this.#store.setSeen(jti, new Date(now), address);
    return true;
  }

  confirm(jti: string, confirmedAt: number): Promise<void> {
    return this.#store.setConfirmed(jti, confirmedAt);
  }

  /** Sessions of which only tokens from a confirmation on are good. `expiresAt` is epoch ms. */
  confirmed(): Promise<{ jti: string; confirmedAt: number; expiresAt: number }[]> {
    return this.#store.confirmed();
  }

  ofUser(userId: string): Promise<OpenSession[]> {
    return this.#store.ofUser(userId);
  }

  async forget(jtis: readonly string[]): Promise<void> {
    for (const jti of jtis) this.#seen.delete(jti);
    await this.#store.remove(jtis);
  }

  async #know(session: SessionClaims, address: string, agent: string, now: number) {
    const { jti, _id: userId, iat, exp } = session;
    const kept = await this.#store.get(jti);
    const seen = { at: kept?.seenAt.getTime() ?? now, keptAt: kept?.seenAt.getTime() ?? now };
    if (this.#seen.size >= REMEMBERED) this.#seen.clear();
    this.#seen.set(jti, seen);
    if (!kept) {
      const [createdAt, expiresAt, seenAt] = [new Date(iat * 1000), new Date(exp * 1000), new Date(now)];
      const shown = agent
        .slice(0, AGENT_LENGTH)
        .replace(/\p{Cc}/gu, ' ')
        .toWellFormed();
      await this.#store.add({ jti, userId, address, agent: shown, createdAt, seenAt, expiresAt });
    }
    return seen;
  }
}
