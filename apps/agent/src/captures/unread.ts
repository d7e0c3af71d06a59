import { UNREAD_FIELDS } from '@albedo/contract/link/link.messages';
import type { Capture, Shape } from '../outbox/outbox.events.ts';

/** Bytes of a line that are kept. */
const KEPT = 4000;
/** Lines of one stream that are kept within an hour; more are only counted: with their fault, and as a gap of their stream. */
const A_HOUR = 1000;
const HOUR_MS = 3_600_000;

/**
 * Lines that cannot be read, kept as they are: each travels as an event of its own, which the cloud sets aside with the reason.
 * Bytes that are no text are kept as hexadecimal.
 */
export class Unread {
  readonly #shape: Shape;
  #hour = 0;
  #kept = 0;

  constructor(table: string, source: string) {
    this.#shape = { table, source, fields: UNREAD_FIELDS };
  }

  keep(reason: string, bytes: Buffer, arrivedAt: number, into: Capture[]): void {
    const hour = Math.floor(performance.now() / HOUR_MS);
    if (hour !== this.#hour) [this.#hour, this.#kept] = [hour, 0];
    const last = into.at(-1);
    const capture: Capture = last?.shape === this.#shape ? last : { shape: this.#shape, rows: [] };
    if (capture !== last) into.push(capture);
    if (this.#kept++ < A_HOUR) capture.rows.push({ eventAt: arrivedAt, values: [reason, rawOf(bytes)] });
    else capture.unkept = (capture.unkept ?? 0) + 1;
  }
}

function rawOf(bytes: Buffer): string {
  const text = bytes.subarray(0, KEPT).toString('utf8');
  const isCut = bytes.length > KEPT;
  const whole = isCut ? text.replace(/\ufffd{1,3}$/, '') : text;
  return /(?!\t)\p{Cc}|\ufffd/u.test(whole) ? bytes.subarray(0, KEPT / 2).toString('hex') : whole;
}
