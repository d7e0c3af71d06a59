import type { BatchField } from '@albedo/contract/link/link.messages';
import type { Row } from '../parsing/record.ts';

/** Events of one stream that have the same fields. The object itself is the identity: make one and keep it. */
export interface Shape {
  readonly table: string;
  readonly source: string;
  readonly fields: BatchField[];
}

export interface Capture {
  shape: Shape;
  rows: Row[];
  /** So many more are counted only: they get numbers, and are a gap of their stream. */
  unkept?: number;
}

/** How far a followed file has been read; null when the file is gone. */
export interface Position {
  inode: number;
  offset: number;
  /** The last bytes before `offset`, base64, which identify the file. */
  tail: string;
  header: string | null;
  /** In the middle of a line that is too long and thrown away. */
  skipping: boolean;
  /** SHA-256 of the first `headSize` bytes, by which the file is known under another name; absent where that is 0. */
  head?: string;
  headSize?: number;
  /** When it was noted at the latest, by the clock of the machine; absent where that is now. */
  notedAt?: number;
}

/** What is kept in one piece: after any crash either all of it is there, or nothing. */
export interface Unit {
  captures: Capture[];
  position?: { key: string; value: Position | null };
  /** Something of this stream was gone before it could be read; how many events it was nobody knows. */
  lost?: { table: string; source: string };
}

/** An event on disk. `body` is the JSON array of its values, `size` what it counts in the outbox, bytes. */
export interface StoredEvent {
  id: number;
  shape: Shape;
  eventAt: number;
  body: string;
  size: number;
}

export interface Acknowledgement {
  /** The epoch that it is for; null from a cloud that does not know epochs. */
  epoch?: string | null;
  ranges: [number, number][];
  gaps: number[];
  /** Called when the outbox has forgotten them on disk. */
  onForgotten: () => void;
}
