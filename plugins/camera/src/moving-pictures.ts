/** Bytes that the head of one picture may take. */
const MOST_HEAD = 8192;

/** The first picture of a stream that servers push, as MJPEG cameras do (`multipart/x-mixed-replace`). */
export class MovingPictures {
  readonly #boundary: string;
  #bytes: Buffer = Buffer.alloc(0);

  private constructor(boundary: string) {
    this.#boundary = boundary;
  }

  /** Null for an answer that is one picture. */
  static of(type: string): MovingPictures | null {
    const [, quoted, bare] =
      /^multipart\/x-mixed-replace\s*;.*\bboundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? [];
    const boundary = quoted ?? bare;
    // Some servers write the hyphens into the header as well.
    return boundary ? new MovingPictures(`--${boundary.replace(/^--/, '')}`) : null;
  }

  /** The picture once all of it is there. Throws for what has no head. */
  take(chunk: Buffer): Buffer | null {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    const start = this.#bytes.indexOf(this.#boundary);
    const head = start < 0 ? -1 : this.#bytes.indexOf('\r\n\r\n', start);
    if (head < 0) {
      if (this.#bytes.length > MOST_HEAD) throw new Error('the stream has no pictures');
      return null;
    }
    const body = head + 4;
    const text = this.#bytes.toString('latin1', start, head);
    const length = Number(/^content-length:\s*(\d+)/im.exec(text)?.[1] ?? Number.NaN);
    if (length > 0)
      return this.#bytes.length >= body + length ? this.#bytes.subarray(body, body + length) : null;
    const end = this.#bytes.indexOf(`\r\n${this.#boundary}`, body);
    return end < 0 ? null : this.#bytes.subarray(body, end);
  }
}
