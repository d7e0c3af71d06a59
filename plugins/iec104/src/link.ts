import { connect, type Socket } from 'node:net';

/** Times and windows of a link. Source: IEC 60870-5-104:2006, 9.6. */
export interface LinkTimes {
  /** To connect, ms. */
  t0: number;
  /** For an answer to what was sent, ms. */
  t1: number;
  /** Until what came is acknowledged, ms. */
  t2: number;
  /** Of silence until the link is tested, ms. */
  t3: number;
  /** Frames sent without an acknowledgement at most. */
  k: number;
  /** Frames that came without one at most. */
  w: number;
}

const START = 0x68;
const HIGHEST = 32_768;
const U = {
  startAct: 0x07,
  startCon: 0x0b,
  stopAct: 0x13,
  stopCon: 0x23,
  testAct: 0x43,
  testCon: 0x83,
} as const;

interface Events {
  /** Data may flow. */
  started(): void;
  asdu(bytes: Buffer): void;
  /** Once, with the reason; nothing comes afterwards. */
  ended(reason: string): void;
}

/** The controlling side of a link: numbers and acknowledges frames, tests a silent link, and ends one that breaks the rules. */
export class Iec104Link {
  readonly #socket: Socket;
  readonly #times: LinkTimes;
  readonly #events: Events;
  readonly #waiting: Buffer[] = [];
  readonly #timers = new Map<'t0' | 't1' | 't2' | 't3', NodeJS.Timeout>();
  #bytes = Buffer.alloc(0);
  #sent = 0;
  #acknowledged = 0;
  #received = 0;
  #told = 0;
  /** A start or a test that was not confirmed yet. */
  #asked: number | null = null;
  #isStarted = false;
  #hasEnded = false;

  constructor(host: string, port: number, times: LinkTimes, events: Events) {
    this.#times = times;
    this.#events = events;
    this.#socket = connect({ host, port, noDelay: true });
    this.#timer('t0', times.t0, () => this.#end('no connection in time'));
    this.#socket.on('connect', () => {
      this.#stop('t0');
      this.#ask(U.startAct);
    });
    this.#socket.on('data', (bytes) => this.#take(bytes));
    this.#socket.on('error', (error) => this.#end(error.message));
    this.#socket.on('close', () => this.#end('the station has closed the connection'));
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Goes out once the link has started and the window has room. */
  send(asdu: Buffer): void {
    this.#waiting.push(asdu);
    this.#flush();
  }

  close(): void {
    this.#end('closed');
  }

  #take(bytes: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    while (!this.#hasEnded && this.#bytes.length >= 2) {
      const [start = 0, length = 0] = this.#bytes;
      if (start !== START || length < 4 || length > 253) {
        this.#end(`no frame of IEC 60870-5-104: ${this.#bytes.subarray(0, 6).toString('hex')}`);
        return;
      }
      if (this.#bytes.length < length + 2) return;
      const frame = this.#bytes.subarray(2, length + 2);
      this.#bytes = this.#bytes.subarray(length + 2);
      this.#frame(frame);
    }
  }

  #frame(frame: Buffer): void {
    this.#timer('t3', this.#times.t3, () => this.#ask(U.testAct));
    const control = frame.readUInt8(0);
    if ((control & 1) === 0) this.#information(frame);
    else if ((control & 3) === 1) this.#acknowledge(frame.readUInt16LE(2) >> 1);
    else this.#unnumbered(control);
  }

  #information(frame: Buffer): void {
    const number = frame.readUInt16LE(0) >> 1;
    if (!this.#isStarted || number !== this.#received) {
      this.#end(this.#isStarted ? `frame ${number} instead of ${this.#received}` : 'data before the start');
      return;
    }
    if (!this.#acknowledge(frame.readUInt16LE(2) >> 1)) return;
    this.#received = (this.#received + 1) % HIGHEST;
    if (distance(this.#told, this.#received) >= this.#times.w) this.#tell();
    else if (!this.#timers.has('t2')) this.#timer('t2', this.#times.t2, () => this.#tell());
    this.#events.asdu(frame.subarray(4));
  }

  /** False when the station acknowledges what was never sent. */
  #acknowledge(next: number): boolean {
    if (distance(this.#acknowledged, next) > distance(this.#acknowledged, this.#sent)) {
      this.#end(`${next} acknowledged, ${this.#sent} sent`);
      return false;
    }
    this.#acknowledged = next;
    if (this.#acknowledged === this.#sent && this.#asked === null) this.#stop('t1');
    this.#flush();
    return true;
  }

  #unnumbered(control: number): void {
    if (control === U.testAct) this.#write(Buffer.from([U.testCon, 0, 0, 0]));
    else if (control === U.stopAct) this.#write(Buffer.from([U.stopCon, 0, 0, 0]));
    else if (control === U.startCon && this.#asked === U.startAct) {
      this.#confirmed();
      this.#isStarted = true;
      this.#events.started();
      this.#flush();
    } else if (control === U.testCon && this.#asked === U.testAct) this.#confirmed();
  }

  #confirmed(): void {
    this.#asked = null;
    if (this.#acknowledged === this.#sent) this.#stop('t1');
  }

  #ask(control: number): void {
    this.#asked = control;
    this.#write(Buffer.from([control, 0, 0, 0]));
    this.#expect();
  }

  #flush(): void {
    while (this.#isStarted && !this.#hasEnded && distance(this.#acknowledged, this.#sent) < this.#times.k) {
      const asdu = this.#waiting.shift();
      if (!asdu) return;
      const control = Buffer.alloc(4);
      control.writeUInt16LE(this.#sent << 1, 0);
      control.writeUInt16LE(this.#received << 1, 2);
      this.#sent = (this.#sent + 1) % HIGHEST;
      this.#told = this.#received;
      this.#stop('t2');
      this.#write(Buffer.concat([control, asdu]));
      this.#expect();
    }
  }

  /** Acknowledges all that came. */
  #tell(): void {
    const control = Buffer.from([1, 0, 0, 0]);
    control.writeUInt16LE(this.#received << 1, 2);
    this.#told = this.#received;
    this.#stop('t2');
    this.#write(control);
  }

  #expect(): void {
    if (!this.#timers.has('t1')) this.#timer('t1', this.#times.t1, () => this.#end('no answer in time'));
  }

  #write(apci: Buffer): void {
    if (!this.#hasEnded) this.#socket.write(Buffer.concat([Buffer.from([START, apci.length]), apci]));
  }

  #timer(name: 't0' | 't1' | 't2' | 't3', ms: number, fire: () => void): void {
    this.#stop(name);
    this.#timers.set(
      name,
      setTimeout(() => {
        this.#timers.delete(name);
        fire();
      }, ms),
    );
  }

  #stop(name: 't0' | 't1' | 't2' | 't3'): void {
    clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
  }

  #end(reason: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    for (const name of [...this.#timers.keys()]) this.#stop(name);
    this.#socket.destroy();
    this.#events.ended(reason);
  }
}

/** How far a number is behind another one, both counted round and round. */
const distance = (from: number, to: number): number => (to - from + HIGHEST) % HIGHEST;
