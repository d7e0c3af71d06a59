/** Requests that one workgroup may send outside in an hour, counted in this process. */
export const OUTBOUND_AN_HOUR = 1000;
const HOUR_MS = 3_600_000;

/** Counts requests by workgroup. */
export class OutboundQuota {
  readonly #most: number;
  readonly #counted = new Map<string, { since: number; count: number }>();

  constructor(most = OUTBOUND_AN_HOUR) {
    this.#most = most;
  }

  /** False where the workgroup has sent as many as it may; otherwise this one is counted. `now` is epoch ms. */
  take(workgroup: string, now = Date.now()): boolean {
    const known = this.#counted.get(workgroup);
    const of = known && now - known.since < HOUR_MS ? known : { since: now, count: 0 };
    if (of.count >= this.#most) return false;
    of.count += 1;
    this.#counted.set(workgroup, of);
    return true;
  }
}
