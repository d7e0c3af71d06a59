import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A wire between programs that can break: what connects to `port` reaches `target`, as far as the wire lets it. */
export class Wire {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #isCut = false;
  #isStalled = false;
  #flips = 0;

  private constructor(target: number) {
    this.#server = createServer((near) => {
      if (this.#isCut) return void near.destroy();
      const far = connect(target, '127.0.0.1');
      const pair = [near, far] as const;
      this.#pairs.add(pair);
      for (const [from, to] of [pair, [far, near] as const]) {
        from.on('error', () => to.destroy());
        from.on('close', () => {
          to.destroy();
          this.#pairs.delete(pair);
        });
        from.on('data', (bytes) => {
          // What is on its way while the wire is silent never comes, and nobody is told.
          if (!this.#isStalled) to.write(this.#flipped(bytes));
        });
      }
    });
  }

  static async to(target: number): Promise<Wire> {
    const wire = new Wire(target);
    wire.#server.listen(0, '127.0.0.1');
    await once(wire.#server, 'listening');
    return wire;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  /** Ends all connections, and every new one at once, until it is mended. */
  cut(): void {
    this.#isCut = true;
    for (const pair of this.#pairs) for (const end of pair) end.destroy();
  }

  /** Swallows everything without ending a connection. */
  stall(): void {
    this.#isStalled = true;
  }

  /** Flips a bit of what passes next. */
  flip(): void {
    this.#flips++;
  }

  mend(): void {
    // After silence the bytes that are missing would be noticed late; a real link is broken by then.
    if (this.#isStalled) for (const pair of this.#pairs) for (const end of pair) end.destroy();
    this.#isCut = false;
    this.#isStalled = false;
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  #flipped(bytes: Buffer): Buffer {
    if (this.#flips === 0 || bytes.length === 0) return bytes;
    this.#flips--;
    const copy = Buffer.from(bytes);
    const at = Math.floor(copy.length / 2);
    copy[at] = (copy[at] ?? 0) ^ 4;
    return copy;
  }
}
