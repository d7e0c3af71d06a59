import snmp from 'net-snmp';
import type { SnmpTarget } from './snmp-target.ts';
import { snmpValue } from './snmp-value.ts';

/** Values asked for at once; more do not fit into a packet of some agents. */
const AT_ONCE = 20;
const ROWS_AT_ONCE = 20;
/** Rows of one column at most, whatever the agent has. */
const MOST_ROWS = 2000;

/**
 * One conversation with an agent. What it says is checked: an answer with other names than those asked for is an error,
 * and a table ends where its names do not rise any more.
 */
export class SnmpSession {
  readonly #target: SnmpTarget;
  readonly #session: snmp.Session;
  #fault: Error | null = null;

  constructor(target: SnmpTarget, signal: AbortSignal) {
    this.#target = target;
    this.#session = target.open();
    // What cannot be read is no answer; the request ends with its time.
    this.#session.on('error', (error: Error) => {
      this.#fault = error;
    });
    signal.addEventListener('abort', () => this.#session.cancelRequests(new Error('time is up')), {
      once: true,
    });
  }

  get name(): string {
    return `${this.#target.endpoint}:${this.#target.port}`;
  }

  /** By OID; those that the agent does not have are missing. Rejects when the agent does not answer. */
  async get(oids: readonly string[]): Promise<Map<string, unknown>> {
    const values = new Map<string, unknown>();
    for (let at = 0; at < oids.length; at += AT_ONCE) {
      for (const varbind of await this.#getSome(oids.slice(at, at + AT_ONCE))) {
        values.set(varbind.oid, snmpValue(varbind));
      }
    }
    return values;
  }

  /** A column of a table by the index of its rows. Rejects when the agent does not answer. */
  async column(oid: string): Promise<Map<string, unknown>> {
    const rows = new Map<string, unknown>();
    for (let from = oid; rows.size < MOST_ROWS; ) {
      const some = await this.#next(from);
      for (const varbind of some) {
        if (snmp.isVarbindError(varbind) || !varbind.oid.startsWith(`${oid}.`)) return rows;
        rows.set(varbind.oid.slice(oid.length + 1), snmpValue(varbind));
      }
      const last = some.at(-1)?.oid;
      if (last === undefined || last === from) return rows;
      from = last;
    }
    return rows;
  }

  close(): void {
    try {
      this.#session.close();
    } catch {
      // It was closed by an error of its socket.
    }
  }

  async #getSome(oids: string[]): Promise<snmp.Varbind[]> {
    try {
      return await this.#answer((done) => this.#session.get(oids, done));
    } catch (error) {
      if (!isMissing(error)) throw error;
      // Version 1 refuses all for one that is missing.
      if (oids.length === 1) return [];
      const each: snmp.Varbind[] = [];
      for (const oid of oids) each.push(...(await this.#getSome([oid])));
      return each;
    }
  }

  async #next(oid: string): Promise<snmp.Varbind[]> {
    if (this.#target.version !== '1') {
      const [rows] = await this.#answer<snmp.Varbind | snmp.Varbind[]>((done) =>
        this.#session.getBulk([oid], 0, ROWS_AT_ONCE, done),
      );
      return Array.isArray(rows) ? rows : [];
    }
    return await this.#answer<snmp.Varbind>((done) => this.#session.getNext([oid], done)).catch((error) => {
      if (isMissing(error)) return [];
      throw error;
    });
  }

  #answer<T = snmp.Varbind>(ask: (done: (error: Error | null, found?: T[]) => void) => void): Promise<T[]> {
    return new Promise((resolve, reject) => {
      ask((error, found = []) => {
        if (error) reject(this.#named(error));
        else resolve(found);
      });
    });
  }

  #named(error: Error): Error {
    if (isMissing(error)) return error;
    const silent = error.name === 'RequestTimedOutError';
    const reason = silent ? (this.#fault?.message ?? 'no answer') : error.message;
    return new Error(`${this.name}: ${reason.slice(0, 300)}`);
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof snmp.RequestFailedError && error.status === snmp.ErrorStatus.NoSuchName;
