import type { Access } from '@albedo/contract/access/access';
import type { FindingKind } from '@albedo/contract/diagnostics/diagnostics.names';
import type { Finding } from '@albedo/contract/diagnostics/diagnostics.schema';
import type { DeviceScope } from '../access/device-scope.ts';

/** Where somebody looks for something to see to. */
export interface FindingPlace {
  workgroup: string;
  /** The devices that exist for them: what concerns others is not counted. */
  scope: DeviceScope;
  /** Epoch ms. */
  now: number;
}

/**
 * Something that whoever looks after a workgroup should see to, as a feature knows it. Looking takes one question to the
 * records, however many devices there are.
 */
export interface FindingSource {
  readonly kind: FindingKind;
  /** Who may know of it: as the endpoint that has the whole of it, so that a finding tells nobody more. */
  readonly access: Access;
  /** Null where all is well. */
  readonly find: (place: FindingPlace) => Promise<Found | null> | Found | null;
}

export type Found = Omit<Finding, 'kind'>;
type Example = Found['examples'][number];

/** Examples of a finding. */
export const EXAMPLES = 5;

/** Of all that was found, newest or soonest first; null where that is nothing. */
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
