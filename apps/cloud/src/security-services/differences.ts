import type { SecurityFinding } from '@albedo/contract/security-services/security-services.schema';

/** A host or a port that a scan saw. */
export type Seen = Pick<SecurityFinding, 'key' | 'description' | 'addresses'>;

/** What a scan came to, before it is compared with what was known. */
export interface Looked {
  seen: readonly Seen[];
  /** It looked at all of it. */
  isComplete: boolean;
  /** Whether it looked where something was seen before: what it did not look at is not gone. */
  covers: (finding: SecurityFinding) => boolean;
}

export interface Differences {
  /** Every finding whose record is another one now. */
  findings: SecurityFinding[];
  counts: { new: number; changed: number; known: number; gone: number };
}

/**
 * Compares what a scan saw with what was known. What is back after it was gone is new again, and keeps the time at which
 * it was seen first and whether somebody accepted it. `at` is epoch ms.
 */
export function differencesOf(known: readonly SecurityFinding[], looked: Looked, at: number): Differences {
  const before = new Map(known.map((finding) => [finding.key, finding]));
  const seen = new Map(looked.seen.map((one) => [one.key, one]));
  const present = [...seen.values()].map((one) => seenAgain(before.get(one.key), one, at));
  const gone = known
    .filter((finding) => finding.state !== 'gone' && !seen.has(finding.key))
    .filter((finding) => looked.isComplete && looked.covers(finding))
    .map((finding) => ({ ...finding, state: 'gone' as const, before: null, goneAt: at }));
  const count = (state: SecurityFinding['state']) => present.filter((one) => one.state === state).length;
  return {
    findings: [...present, ...gone],
    counts: { new: count('new'), changed: count('changed'), known: count('known'), gone: gone.length },
  };
}

function seenAgain(known: SecurityFinding | undefined, seen: Seen, at: number): SecurityFinding {
  const now = { ...seen, lastSeenAt: at, goneAt: null, before: null };
  if (!known) return { ...now, state: 'new', knownSince: at, accepted: null };
  const { knownSince, accepted } = known;
  if (known.state === 'gone') return { ...now, state: 'new', knownSince, accepted };
  const isSame = seen.addresses.join() === known.addresses.join();
  if (isSame) return { ...now, state: 'known', knownSince, accepted };
  return { ...now, state: 'changed', before: known.addresses, knownSince, accepted };
}
