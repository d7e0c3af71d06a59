import type { ForeignRecord } from './read-records.ts';

/** A record of a file, or why it is none; `line` counts from 1, rows in Parquet. */
export type HistoryRecord = { line: number; record: ForeignRecord } | { line: number; fault: string };

/** Those that could be read. */
export const readable = (records: readonly HistoryRecord[]): ForeignRecord[] =>
  records.flatMap((one) => ('record' in one ? [one.record] : []));

/** Records of a file, some at a time; `fraction` of the file was read, 0 to 1. */
export interface HistoryPiece {
  records: HistoryRecord[];
  fraction: number;
}

/** A file that cannot be read at all, or not to its end; the message is for people. */
export class UnreadableFile extends Error {}

export const PIECE_RECORDS = 2000;
/** Bytes of a line or of a record of CSV: beyond it something is wrong with the quotes or with the file. */
export const LINE_BYTES = 1_000_000;
