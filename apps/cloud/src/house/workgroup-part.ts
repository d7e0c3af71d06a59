import type { Readable } from 'node:stream';
import type { Actor } from '../access/actor.ts';
import type { TablePart } from '../database/workgroup-part.tables.ts';

/** A file of an export; one that comes as a stream says how many bytes it has. */
export type ExportFile = { name: string } & (
  | { content: string | Uint8Array }
  | { size: number; content: Readable }
);

/** Who deletes it. */
type By = Pick<Actor, 'email' | 'address'>;

/** A number of the list of workgroups, by workgroup; those without one have none. */
export type Counts = ReadonlyMap<string, number>;

/**
 * What a feature has of workgroups. The tools that work on workgroups as a whole know no feature: they walk over these
 * parts. A test reads the engines and fails on what nobody announces.
 */
export interface WorkgroupPart {
  /** Its tables in the database: exported row by row, and emptied. */
  readonly tables?: readonly TablePart[];
  /** Its tables in the telemetry engine, which `exported` reads and `sweep` empties. */
  readonly telemetry?: readonly string[];
  /** Files of an export besides the rows of the tables. */
  readonly exported?: (workgroup: string, signal: AbortSignal) => AsyncIterable<ExportFile>;
  /** Numbers for the list of workgroups, by name. */
  readonly counted?: Readonly<Record<string, () => Promise<Counts>>>;
  /** First, while the rows are still there: ends what lives of them. May be called again when a deletion broke off. */
  readonly closing?: (workgroup: string, by: By, signal: AbortSignal) => Promise<void>;
  /** Once the rows are gone: forgets what is kept elsewhere. */
  readonly removed?: (workgroup: string) => void;
  /** Deletes what is left of workgroups that are gone; called again and again, also after a start. */
  readonly sweep?: (deleted: readonly string[], signal: AbortSignal) => Promise<void>;
}
