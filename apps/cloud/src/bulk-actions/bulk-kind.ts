import type { BulkKindName, BulkWork } from '@albedo/contract/bulk-actions/bulk-actions.schema';
import type { Actor } from '../access/actor.ts';

export interface BulkOn<W> {
  workgroup: string;
  device: string;
  work: W;
  by: Actor;
}

/** One thing that can be done to many devices. */
export interface BulkKind<W extends BulkWork = BulkWork> {
  /** It is done on the device, which has to be online. */
  readonly isOnDevice: boolean;
  /** One that was cut off is begun again; otherwise it ends there. */
  readonly canRepeat: boolean;
  /** Works of one key follow each other; by default those on one device. */
  keyOf?(work: W): string;
  /** Throws what is wrong with the work itself; answers what people call it. */
  about(workgroup: string, work: W): Promise<string>;
  /** What would change. Throws why it cannot be. */
  preview(on: BulkOn<W>, signal: AbortSignal): Promise<{ before: string; after: string }>;
  /** Does it; answers what came of it, if that says more than that it is done. `id` names this attempt for good. */
  run(on: BulkOn<W>, id: string, signal: AbortSignal): Promise<string | null>;
}

export type Of<K extends BulkKindName> = Extract<BulkWork, { kind: K }>;
export type BulkKinds = { readonly [K in BulkKindName]: BulkKind<Of<K>> };
