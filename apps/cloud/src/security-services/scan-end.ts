import type { ScanReason } from '@albedo/contract/security-services/security-services.schema';
import type { Looked } from './differences.ts';

/** What came of looking: all or a part of it, or nothing. */
export type ScanEnd =
  | (Looked & { target: string; reason: ScanReason | null })
  | { failed: ScanReason; target: string };

/** Looks at one device. Throws only the reason of its signal. */
export interface Scanner {
  scan(of: ScanOf): Promise<ScanEnd>;
}

export interface ScanOf {
  device: string;
  /** Keys of what was there before, which is looked at with more patience. */
  present: ReadonlySet<string>;
  signal: AbortSignal;
}
