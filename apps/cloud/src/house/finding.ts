import type { Access } from '@albedo/contract/access/access';
import type { FindingKind } from '@albedo/contract/diagnostics/diagnostics.names';
import type { Finding } from '@albedo/contract/diagnostics/diagnostics.schema';
import type { DeviceScope } from '../access/device-scope.ts';

/** Where findings are looked for. */
export interface FindingPlace {
  workgroup: string;
  /** The devices the caller may see; findings about others do not count. */
  scope: DeviceScope;
  /** Epoch ms. */
  now: number;
}

/**
 * A kind of problem that somebody who looks after a workgroup should know of, found by one feature. Looking takes one query,
 * however many devices there are.
 */
export interface FindingSource {
  readonly kind: FindingKind;
  /** The access of the endpoint that shows all of it, so that a finding reveals nothing more. */
  readonly access: Access;
  /** Null if all is well. */
  readonly find: (place: FindingPlace) => Promise<Found | null> | Found | null;
}

export type Found = Omit<Finding, 'kind'>;
type Example = Found['examples'][number];

/** How many examples a finding names at most. */
export const EXAMPLES = 5;

/** The finding about all of these, which come newest or soonest first; null if there are none. */
export function foundOf(
  level: Found['level'],
  all: readonly (Partial<Example> & { name: string })[],
): Found | null {
  if (all.length === 0) return null;
  const examples = all
    .slice(0, EXAMPLES)
    .map((example) => ({ device: null, text: null, amount: null, at: null, ...example }));
  return { count: all.length, level, examples };
}
