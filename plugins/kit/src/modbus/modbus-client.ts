import { setTimeout as sleep } from 'node:timers/promises';
import modbusSerial from 'modbus-serial';
import { HeldError, waitForPidFile } from '../locks/pid-file.ts';
import { isSilence, ModbusError, modbusError, StrangeIdError } from './modbus-error.ts';

type Library = InstanceType<typeof modbusSerial.default>;

export type RegisterKind = 'holding' | 'input' | 'coil' | 'discrete';

export interface ModbusTarget {
  /** A serial node such as /dev/ttyS0, or an address or name. */
  endpoint: string;
  /** TCP port; without meaning on a serial line. */
  port: number;
  /** `enc` is RTU in a TCP stream, as serial servers carry it. */
  mode: 'tcp' | 'rtu' | 'enc';
  baudRate: number;
  parity: 'none' | 'even' | 'odd';
  dataBits: 7 | 8;
  stopBits: 1 | 2;
}

export interface ModbusManners {
  /** Longest wait for a connection and for an answer. */
  timeoutMs: number;
  /** Tries for each request. */
  attempts: number;
  /** Pause before each request and between tries. */
  delayMs: number;
  /** Only one process at a time uses the line; always so on a serial line. */
  serialLock: boolean;
  /** Takes answers whatever transaction id they carry, for gateways that count for themselves. Modbus TCP only. */
  anyTransactionId?: boolean;
}

/** Source: Modbus Application Protocol 1.1b3, sections 6.1 to 6.4. */
const MOST_AT_ONCE: Record<RegisterKind, number> = { holding: 125, input: 125, coil: 2000, discrete: 2000 };

/** Pauses before what a device was too busy for is asked again, ms. */
const BUSY_PAUSES_MS = [200, 500, 1000];
/** Source: Modbus Application Protocol 1.1b3, section 7. A read that is acknowledged has to be asked again as well. */
const [ACKNOWLEDGE, DEVICE_BUSY] = [5, 6];

/**
 * A connection to one endpoint that opens when needed and again after a failure.
 *
 * Rules: one request at a time (calls queue up); `close` at the end; a connection that failed or was aborted is thrown
 * away, so that a late answer never reaches the next request.
 */
export class ModbusClient {
  readonly #target: ModbusTarget;
  readonly #manners: ModbusManners;
  #library: Library | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #release: (() => void) | null = null;

  constructor(target: ModbusTarget, manners: ModbusManners) {
    this.#target = target;
    this.#manners = { ...manners, serialLock: manners.serialLock || target.mode === 'rtu' };
  }

  /** Name for messages: `/dev/ttyS0` or `10.0.0.5:502`. */
  get name(): string {
    return this.#target.mode === 'rtu'
      ? this.#target.endpoint
      : `${this.#target.endpoint}:${this.#target.port}`;
  }

  /**
   * Registers as unsigned 16-bit numbers, or bits as 0 and 1; addresses count from 0. Long reads are split.
   *
   * Rejects with `ModbusError`.
   */
  async read(
    unit: number,
    kind: RegisterKind,
    address: number,
    count: number,
    signal: AbortSignal,
  ): Promise<number[]> {
    const values: number[] = [];
    for (let done = 0; done < count; done += MOST_AT_ONCE[kind]) {
      const part = Math.min(count - done, MOST_AT_ONCE[kind]);
      values.push(...(await this.#queued(() => this.#tried(unit, kind, address + done, part, signal))));
    }
    return values;
  }

  /**
   * Writes holding registers, each an unsigned 16-bit number: a single one by function 6, several together by function 16.
   *
   * It is tried once, since after a silence nobody knows whether it was taken; a device that is busy has not taken it, and
   * is asked again. Rejects with `ModbusError`.
   */
  async write(
    unit: number,
    address: number,
    values: readonly number[],
    code: 6 | 16,
    signal: AbortSignal,
  ): Promise<void> {
    const where = `${this.name} unit ${unit}, function ${code} to ${address}`;
    await this.#queued(async () => {
      for (let busy = 0; ; busy++) {
        try {
          await this.#asked<unknown>(signal, unit, (library) =>
            code === 6
              ? library.writeRegister(address, values[0] ?? 0)
              : library.writeRegisters(address, [...values]),
          );
          return;
        } catch (error) {
          const fault = await this.#faultOf(error, where, signal);
          const isBusy = fault.exceptionCode === DEVICE_BUSY;
          if (!isBusy || !(await pauseForBusy(busy, signal))) throw fault;
        }
      }
    });
  }

  async close(): Promise<void> {
    await this.#queue.catch(() => {});
    await this.#drop();
  }

  /** Lets others use the line until the next request. */
  async rest(): Promise<void> {
    if (this.#manners.serialLock) await this.close();
  }

  async #queued<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#queue;
    const mine = before.then(work, work);
    this.#queue = mine.catch(() => {});
    return mine;
  }

  async #tried(unit: number, kind: RegisterKind, address: number, count: number, signal: AbortSignal) {
    const last = address + count - 1;
    const where = `${this.name} unit ${unit}, ${kind} ${address}${count > 1 ? `-${last}` : ''}`;
    for (let attempt = 1, busy = 0; ; ) {
      try {
        return await this.#once(unit, kind, address, count, signal);
      } catch (error) {
        const fault = await this.#faultOf(error, where, signal);
        if (fault.fault === 'aborted') throw fault;
        const isBusy = [ACKNOWLEDGE, DEVICE_BUSY].includes(fault.exceptionCode ?? 0);
        if (isBusy ? !(await pauseForBusy(busy++, signal)) : attempt++ >= this.#manners.attempts) throw fault;
      }
    }
  }

  async #faultOf(error: unknown, where: string, signal: AbortSignal): Promise<ModbusError> {
    const fault = signal.aborted
      ? new ModbusError('aborted', `${where}: time is up`)
      : modbusError(error, where);
    if (fault.fault !== 'exception') await this.#drop();
    return fault;
  }

  async #asked<T>(signal: AbortSignal, unit: number, ask: (library: Library) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const library = await this.#open(signal);
    if (this.#manners.delayMs > 0) await sleep(this.#manners.delayMs, undefined, { signal });
    library.setID(unit);
    library.setTimeout(this.#manners.timeoutMs);
    const ids = watchIds(library, this.#target.mode, this.#manners.anyTransactionId ?? false);
    try {
      return await abortable(ask(library), signal, this.#manners.timeoutMs + 500);
    } catch (error) {
      throw ids.strange === null || !isSilence(error) ? error : new StrangeIdError(ids.strange, ids.sent);
    } finally {
      ids.end();
    }
  }

  async #once(unit: number, kind: RegisterKind, address: number, count: number, signal: AbortSignal) {
    const answer = await this.#asked(signal, unit, (library) => request(library, kind, address, count));
    const values = answer.data.slice(0, count).map(Number);
    if (values.length < count) throw new Error(`${values.length} values instead of ${count}`);
    return values;
  }

  async #open(signal: AbortSignal): Promise<Library> {
    if (this.#library?.isOpen) return this.#library;
    await this.#drop();
    if (this.#manners.serialLock) this.#release = await takeLine(this.name, signal);
    const library = new modbusSerial.default();
    // Without a listener a broken connection between two requests would end the process.
    library.on('error', () => {});
    this.#library = library;
    await abortable(connect(library, this.#target), signal, this.#manners.timeoutMs);
    return library;
  }

  async #drop(): Promise<void> {
    const library = this.#library;
    this.#library = null;
    if (library) await closeLibrary(library, this.#target.mode);
    this.#release?.();
    this.#release = null;
  }
}

/** False when a device has been busy for too often. An abort ends the pause, and the next request tells it. */
async function pauseForBusy(busy: number, signal: AbortSignal): Promise<boolean> {
  const pauseMs = BUSY_PAUSES_MS[busy];
  if (pauseMs === undefined) return false;
  await sleep(pauseMs, undefined, { signal }).catch(() => {});
  return true;
}

/** The transaction ids of the library, which drops an answer with another one without a word. */
interface TransactionIds {
  _transactionIdRead: number;
  _transactionIdWrite: number;
  prependListener(event: 'data', take: () => void): void;
  off(event: 'data', take: () => void): void;
}

/** Watches one request; with `takesAny` its answer counts whatever its id. */
function watchIds(library: Library, mode: ModbusTarget['mode'], takesAny: boolean) {
  const port = (library as unknown as { _port?: TransactionIds })._port;
  if (mode !== 'tcp' || !port) return { sent: 0, strange: null, end: () => {} };
  const ids = { sent: port._transactionIdWrite, strange: null as number | null, end: () => {} };
  const take = () => {
    if (port._transactionIdRead === ids.sent) return;
    if (takesAny) port._transactionIdRead = ids.sent;
    else ids.strange = port._transactionIdRead;
  };
  // Before the library looks for the request of an answer.
  port.prependListener('data', take);
  ids.end = () => port.off('data', take);
  return ids;
}

async function takeLine(name: string, signal: AbortSignal): Promise<() => void> {
  try {
    return await waitForPidFile(`line-${name}`, signal);
  } catch (error) {
    if (error instanceof HeldError || signal.aborted) throw new Error('another process uses this line');
    throw error;
  }
}

async function connect(library: Library, target: ModbusTarget): Promise<void> {
  const { endpoint, port, mode, baudRate, parity, dataBits, stopBits } = target;
  if (mode === 'tcp') return library.connectTCP(endpoint, { port });
  // What the library calls Telnet is the plain serial frame in a stream.
  if (mode === 'enc') return library.connectTelnet(endpoint, { port });
  return library.connectRTUBuffered(endpoint, { baudRate, parity, dataBits, stopBits });
}

function request(
  library: Library,
  kind: RegisterKind,
  address: number,
  count: number,
): Promise<{ data: (number | boolean)[] }> {
  if (kind === 'holding') return library.readHoldingRegisters(address, count);
  if (kind === 'input') return library.readInputRegisters(address, count);
  if (kind === 'coil') return library.readCoils(address, count);
  return library.readDiscreteInputs(address, count);
}

/** Ends at the limit or when the signal aborts, even when the library never answers. */
async function abortable<T>(work: Promise<T>, signal: AbortSignal, limitMs: number): Promise<T> {
  work.catch(() => {});
  const limit = new AbortController();
  const stop = AbortSignal.any([signal, limit.signal]);
  const ended = sleep(limitMs, undefined, { signal: stop }).then(() => {
    throw Object.assign(new Error(`no answer within ${limitMs} ms`), { errno: 'ETIMEDOUT' });
  });
  ended.catch(() => {});
  try {
    return await Promise.race([work, ended]);
  } finally {
    limit.abort();
  }
}

/** A serial line is only free for others once it is closed; a socket is destroyed at once. */
async function closeLibrary(library: Library, mode: ModbusTarget['mode']): Promise<void> {
  if (mode !== 'rtu') {
    library.destroy(() => {});
    return;
  }
  if (library.isOpen) await new Promise<void>((resolve) => library.close(() => resolve()));
}
