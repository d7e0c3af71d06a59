import { Socket } from 'node:net';
import type { FoundModbus } from '@albedo/contract/link/link.network';

const CONNECT_MS = 1000;
/** A device that is there answers within this; a gateway says sooner that nobody is. */
const ANSWER_MS = 600;
const READ_HOLDING = 3;
const READ_INPUT = 4;
const READ_IDENTITY = 0x2b;
/**
 * What gateways say for a bus address that nobody has, and "device failure", which some servers say for it in their place:
 * it alone shows nobody. Source: Modbus Application Protocol 1.1b3, section 7.
 */
const NOBODY = [0x0a, 0x0b];
const FAILURE = 0x04;
const SUNSPEC_PLACES = [40_000, 0, 50_000];
const SUNS = 0x53756e53;

/** The Modbus devices behind one address; empty where nothing listens. */
export async function modbusScan(of: {
  ip: string;
  port: number;
  units: readonly number[];
  signal: AbortSignal;
}): Promise<FoundModbus[]> {
  const { ip, port, units, signal } = of;
  const line = await ModbusLine.open(ip, port);
  if (!line) return [];
  const found: FoundModbus[] = [];
  try {
    for (const unit of units) {
      if (signal.aborted) break;
      const facts = await lookAt(line, unit);
      if (facts) found.push({ ip, port, unit, ...facts });
    }
  } finally {
    line.close();
  }
  return found;
}

type Facts = Omit<FoundModbus, 'ip' | 'port' | 'unit'>;

async function lookAt(line: ModbusLine, unit: number): Promise<Facts | null> {
  const unnamed = { protocol: 'modbus', manufacturer: null, model: null, serial: null } as const;
  let best: Answer = 'nobody';
  for (const place of SUNSPEC_PLACES) {
    const reply = await line.ask(unit, READ_HOLDING, words(place, 2));
    const answer = answerOf(reply);
    if (answer === 'nobody') break;
    best = betterOf(best, answer);
    if (reply && reply[0] === READ_HOLDING && reply.length >= 6 && reply.readUInt32BE(2) === SUNS) {
      const named = await commonModel(line, unit, place);
      return { ...unnamed, protocol: 'sunspec', answer: 'value', ...named };
    }
  }
  if (best === 'nobody') return null;
  if (best === 'failure') best = betterOf(best, answerOf(await line.ask(unit, READ_INPUT, words(0, 1))));
  const named = await identity(line, unit);
  if (Object.keys(named).length > 0) best = 'value';
  return best === 'value' || best === 'exception' ? { ...unnamed, answer: best, ...named } : null;
}

/** From the least that an answer shows of somebody at an address to the most. */
const ANSWERS = ['nobody', 'failure', 'exception', 'value'] as const;
type Answer = (typeof ANSWERS)[number];

const betterOf = (a: Answer, b: Answer): Answer => (ANSWERS.indexOf(b) > ANSWERS.indexOf(a) ? b : a);

function answerOf(reply: Buffer | null): Answer {
  if (reply === null) return 'nobody';
  const [code = 0, exception = 0] = reply;
  if (!(code & 0x80)) return 'value';
  if (NOBODY.includes(exception)) return 'nobody';
  return exception === FAILURE ? 'failure' : 'exception';
}

/** Model 1 of SunSpec: who made it, what it is called, its number. Source: SunSpec Information Model. */
async function commonModel(line: ModbusLine, unit: number, place: number): Promise<Partial<Facts>> {
  const reply = await line.ask(unit, READ_HOLDING, words(place + 4, 65));
  if (reply?.[0] !== READ_HOLDING || reply.length < 2 + 64 * 2) return {};
  const text = (register: number, count: number) =>
    textOf(reply.subarray(2 + register * 2, 2 + (register + count) * 2));
  return { manufacturer: text(0, 16), model: text(16, 16), serial: text(48, 16) };
}

/** Read Device Identification, objects 0 to 2. Source: Modbus Application Protocol 1.1b3, section 6.21. */
async function identity(line: ModbusLine, unit: number): Promise<Partial<Facts>> {
  const reply = await line.ask(unit, READ_IDENTITY, Buffer.from([0x0e, 1, 0]));
  if (reply?.[0] !== READ_IDENTITY || reply.length < 7) return {};
  const texts: (string | null)[] = [];
  for (let at = 7, count = reply[6] ?? 0; count > 0 && at + 2 <= reply.length; count--) {
    const [id = 0, length = 0] = reply.subarray(at, at + 2);
    texts[id] = textOf(reply.subarray(at + 2, at + 2 + length));
    at += 2 + length;
  }
  return { manufacturer: texts[0] ?? null, model: texts[1] ?? null };
}

/** Printable characters only: the text is shown to people. */
function textOf(bytes: Buffer): string | null {
  const text = bytes
    .toString('latin1')
    .replace(/[^\x20-\x7e]/g, ' ')
    .trim()
    .slice(0, 100);
  return text === '' ? null : text;
}

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value, at * 2);
  return bytes;
}

/** One connection, one question at a time. */
class ModbusLine {
  readonly #socket: Socket;
  #transaction = 0;
  #received: Buffer = Buffer.alloc(0);
  #answer: ((pdu: Buffer) => void) | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
  }

  static open(ip: string, port: number): Promise<ModbusLine | null> {
    return new Promise((resolve) => {
      const socket = new Socket();
      const fail = () => {
        socket.destroy();
        resolve(null);
      };
      socket.setTimeout(CONNECT_MS, fail);
      socket.on('error', fail);
      socket.connect(port, ip, () => {
        socket.setTimeout(0);
        resolve(new ModbusLine(socket));
      });
    });
  }

  /** The answer without its head: function and data; null when none comes. */
  ask(unit: number, code: number, data: Buffer): Promise<Buffer | null> {
    this.#transaction = (this.#transaction + 1) & 0xffff;
    const head = Buffer.alloc(8);
    head.writeUInt16BE(this.#transaction, 0);
    head.writeUInt16BE(data.length + 2, 4);
    head[6] = unit;
    head[7] = code;
    return new Promise((resolve) => {
      if (this.#socket.destroyed) return resolve(null);
      const timer = setTimeout(() => this.#answered(null, resolve), ANSWER_MS);
      this.#answer = (pdu) => {
        clearTimeout(timer);
        this.#answered(pdu, resolve);
      };
      this.#socket.write(Buffer.concat([head, data]));
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #answered(pdu: Buffer | null, resolve: (pdu: Buffer | null) => void): void {
    this.#answer = null;
    resolve(pdu);
  }

  #take(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    while (this.#received.length >= 8) {
      const length = this.#received.readUInt16BE(4);
      // Not Modbus: nothing more is believed.
      if (length < 2 || length > 260 || this.#received.readUInt16BE(2) !== 0) {
        this.close();
        return;
      }
      if (this.#received.length < 6 + length) return;
      const transaction = this.#received.readUInt16BE(0);
      const pdu = Buffer.from(this.#received.subarray(7, 6 + length));
      this.#received = this.#received.subarray(6 + length);
      if (transaction === this.#transaction) this.#answer?.(pdu);
    }
  }
}
