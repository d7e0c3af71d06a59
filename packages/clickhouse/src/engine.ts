import { randomBytes } from 'node:crypto';
import { createReadStream, mkdirSync, rmSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { giveBackFreed } from '@albedo/memory/memory';
import { type ChdbResult, drainPending, Session } from 'chdb';
import { Lane } from './lane.ts';
import { EngineError, quoteName, quoteText, type Statement } from './statement.ts';

export interface EngineLimits {
  /** Memory of all queries and caches together, bytes. */
  serverMemoryBytes: number;
  readConnections: number;
}

export const defaultLimits = (): EngineLimits => ({
  serverMemoryBytes: Math.round(Math.min(4e9, Math.max(1e9, totalmem() / 4))),
  readConnections: availableParallelism(),
});

export interface StatementRun {
  statement: Statement;
  /** Data of an INSERT that did not come inside the statement. */
  data: Buffer | null;
  settings: ReadonlyMap<string, string>;
  database: string | null;
  /** Format of the answer where the statement names none. */
  format: string;
}

export interface Answer {
  /** Pieces of the answer in their format. */
  chunks: AsyncIterable<Uint8Array>;
  /** Known for statements that ran to their end before the first piece. */
  summary: { readRows: number; readBytes: number; writtenRows: number; elapsedS: number } | null;
}

/** Formats whose answer may be cut into pieces: no head, no foot. */
const STREAMED = new Set(['JSONEachRow', 'JSONCompactEachRow', 'TabSeparated', 'TSV', 'CSV']);
/** Formats with a foot that are large: the engine writes them to a file, which is read a piece at a time. */
const FILED = new Set(['Parquet']);
/** Formats that the engine takes as bytes; its binary ones lose rows without an error. */
const RAW_INPUT = new Set([
  'JSONEachRow',
  'JSONCompactEachRow',
  'CSV',
  'TSV',
  'TabSeparated',
  'CSVWithNames',
]);
const TEXT_INPUT = /^(JSON|CSV|TSV|TabSeparated|Values$)/;

const RAW_INSERT =
  /^\s*INSERT\s+INTO\s+(?:TABLE\s+)?([A-Za-z0-9_.]+)\s*(?:\(([A-Za-z0-9_,\s]*)\))?\s*FORMAT\s+(\w+)\s*$/i;

/** Settings of the answer to a read that a request may lower or raise, but not leave out. */
const READ_SETTINGS: ReadonlyMap<string, string> = new Map([
  ['max_execution_time', '60'],
  ['max_threads', '1'],
  ['max_query_size', '4000000'],
  ['max_result_bytes', '536870912'],
]);

/**
 * How often the engine gives back memory that it keeps for the next statement, ms. Each of its threads keeps some of its own,
 * and by itself only a thread that goes on working lets go of it: 170 of 430 MB on the demo. The C library keeps what Node
 * freed apart from that.
 */
const PURGE_MS = 60_000;

/**
 * chDB behind one door. Rules it keeps, so that callers need not know them:
 *
 * - A connection runs one statement at a time and keeps settings for ever, so every statement gets a connection of
 *   its own (half a millisecond) and nothing leaks into the next. Lanes bound how many run at once.
 * - Reads run with `readonly=1`, which also refuses files, addresses and further settings.
 * - Destroying a connection under a running statement ends the engine, so a statement is ended by KILL and awaited.
 *   It is found by a comment that begins it, since the engine does not honour query ids. `KILL ... SYNC` never returns.
 */
export class Engine {
  readonly #dataDir: string;
  /** Answers on their way; nothing in it outlives a start. */
  readonly #filesDir: string;
  readonly #limits: EngineLimits;
  readonly #reads: Lane;
  readonly #inserts = new Lane(1);
  readonly #writes = new Lane(1);
  /** Holds the engine open with its limits; runs nothing. */
  #anchor: Session | null = null;
  #purging: NodeJS.Timeout | undefined;
  readonly #running = new Set<AbortController>();

  constructor(dataDir: string, limits: EngineLimits) {
    this.#dataDir = dataDir;
    this.#filesDir = join(dataDir, 'answers');
    this.#limits = limits;
    this.#reads = new Lane(limits.readConnections);
  }

  /** Throws when another process holds the folder. */
  open(): void {
    rmSync(this.#filesDir, { recursive: true, force: true });
    mkdirSync(this.#filesDir, { recursive: true, mode: 0o700 });
    this.#anchor = new Session(this.#dataDir, {
      connectionArgs: [
        `--max_server_memory_usage=${this.#limits.serverMemoryBytes}`,
        '--mark_cache_size=268435456',
        // By itself the engine removes merged parts with 128 threads at once and keeps them all, each with memory of its own.
        '--max_parts_cleaning_thread_pool_size=2',
        '--max_thread_pool_free_size=8',
      ],
    });
    this.#purging = setInterval(() => void this.#purge(), PURGE_MS).unref();
  }

  /** Ends running reads, waits for writes, closes. */
  async close(): Promise<void> {
    clearInterval(this.#purging);
    for (const controller of this.#running) controller.abort(cancelled());
    await Promise.all([this.#inserts.run(async () => {}), this.#writes.run(async () => {})]);
    await drainPending();
    this.#anchor?.close();
    this.#anchor = null;
  }

  /**
   * Runs one statement. `take` is given the answer and must have read it when it resolves; the connection is released
   * after it. An abort of the signal ends a read within some ten milliseconds; inserts run to their end.
   */
  async run<T>(run: StatementRun, signal: AbortSignal, take: (answer: Answer) => Promise<T>): Promise<T> {
    const { kind } = run.statement;
    // What the engine copies by itself takes its time, and would hold up what comes in.
    if (kind === 'insert' && run.data) return this.#inserts.run(() => this.#insert(run, take), signal);
    if (kind === 'insert') return this.#writes.run(() => this.#insert(run, take), signal);
    if (kind === 'write') return this.#writes.run(() => this.#whole(run, take), signal);
    if (kind === 'kill') return this.#whole(run, take);
    const controller = new AbortController();
    this.#running.add(controller);
    const either = AbortSignal.any([signal, controller.signal]);
    try {
      return await this.#reads.run(() => this.#read(run, either, take), either);
    } finally {
      this.#running.delete(controller);
    }
  }

  async #purge(): Promise<void> {
    const purge = async () => {
      if (!this.#anchor) return;
      const session = new Session(this.#dataDir);
      try {
        await session.queryAsync('SYSTEM JEMALLOC PURGE');
      } finally {
        session.close();
      }
      giveBackFreed();
    };
    // In the lane of writes, which `close` waits for. One that fails only keeps its memory.
    await this.#writes.run(purge).catch(() => {});
  }

  async #read<T>(run: StatementRun, signal: AbortSignal, take: (answer: Answer) => Promise<T>): Promise<T> {
    return this.#connected(run, async (session) => {
      const tag = randomBytes(12).toString('hex');
      const sql = `/*${tag}*/ ${run.statement.sql}`;
      const format = run.statement.format ?? run.format;
      const streams = STREAMED.has(format) && ['SELECT', 'WITH'].includes(run.statement.verb);
      const killer = this.#killWhenAborted(tag, signal);
      try {
        if (FILED.has(format)) return await this.#filed(session, sql, format, signal, take);
        if (!streams) {
          const result = await session.queryAsync(sql, { format });
          signal.throwIfAborted();
          return await take(whole(result));
        }
        const stream = session.queryStream(sql, { format });
        return await take({ chunks: pieces(stream, signal), summary: null });
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        killer.done();
      }
    });
  }

  /** Keeps a large answer out of the memory: its format is cut off, and written to a file beside the data. */
  async #filed<T>(
    session: Session,
    sql: string,
    format: string,
    signal: AbortSignal,
    take: (answer: Answer) => Promise<T>,
  ): Promise<T> {
    const path = join(this.#filesDir, randomBytes(12).toString('hex'));
    const plain = sql.replace(new RegExp(`\\s+FORMAT\\s+${format}\\s*;?\\s*$`, 'i'), '');
    try {
      await session.queryAsync(`${plain} INTO OUTFILE ${quoteText(path)} FORMAT ${format}`, { format });
      signal.throwIfAborted();
      return await take({ chunks: createReadStream(path), summary: null });
    } finally {
      rmSync(path, { force: true });
    }
  }

  async #whole<T>(run: StatementRun, take: (answer: Answer) => Promise<T>): Promise<T> {
    return this.#connected(run, async (session) => {
      const text = run.data ? `${run.statement.sql}\n${run.data.toString()}` : run.statement.sql;
      return take(whole(await session.queryAsync(text, { format: run.statement.format ?? run.format })));
    });
  }

  async #insert<T>(run: StatementRun, take: (answer: Answer) => Promise<T>): Promise<T> {
    const { sql, format } = run.statement;
    const raw = run.data ? RAW_INSERT.exec(sql) : null;
    if (run.data && format !== null && !TEXT_INPUT.test(format)) {
      throw new EngineError(
        73,
        'UNKNOWN_FORMAT',
        `The embedded engine takes no data in the format ${format}.`,
      );
    }
    const [, table, columns, rawFormat] = raw ?? [];
    if (!run.data || !table || !rawFormat || !RAW_INPUT.has(rawFormat)) return this.#whole(run, take);
    if (run.data.length === 0) return take({ chunks: none(), summary: nothing });
    const { data } = run;
    return this.#connected(run, async (session) => {
      const written = await session.insert({
        table,
        values: data,
        format: rawFormat as 'JSONEachRow',
        ...(columns ? { columns: columns.split(',').map((name) => name.trim()) } : {}),
      });
      const summary = {
        readRows: written.rowsWritten,
        readBytes: data.length,
        writtenRows: written.rowsWritten,
        elapsedS: written.elapsed,
      };
      return take({ chunks: none(), summary });
    });
  }

  /** A fresh connection with the settings of this statement and no others. */
  async #connected<T>(run: StatementRun, use: (session: Session) => Promise<T>): Promise<T> {
    if (!this.#anchor) throw new EngineError(236, 'ABORTED', 'The engine is stopping.');
    const session = new Session(this.#dataDir);
    try {
      const isRead = run.statement.kind === 'read';
      const settings = new Map([...(isRead ? READ_SETTINGS : []), ...run.settings]);
      const isBound = isRead || (settings.get('readonly') ?? '0') !== '0';
      settings.delete('readonly');
      if (isBound) settings.set('readonly', '1'); // The last of the list: it refuses everything after it.
      if (run.database) await session.queryAsync(`USE ${quoteName(run.database)}`);
      if (settings.size > 0) await session.queryAsync(setStatement(settings));
      return await use(session);
    } finally {
      session.close();
    }
  }

  /** Asks again until the statement is gone: one that has not begun yet is not found. */
  #killWhenAborted(tag: string, signal: AbortSignal): { done(): void } {
    let timer: NodeJS.Timeout | undefined;
    let finished = false;
    const kill = async () => {
      const session = new Session(this.#dataDir);
      try {
        await session.queryAsync(`KILL QUERY WHERE query LIKE '/*${tag}*/%' ASYNC`);
      } finally {
        session.close();
      }
      if (!finished) timer = setTimeout(start, 50);
    };
    const start = () => void kill().catch(() => {}); // The statement then ends by its time limit.
    if (signal.aborted) start();
    else signal.addEventListener('abort', start, { once: true });
    return {
      done() {
        finished = true;
        clearTimeout(timer);
        signal.removeEventListener('abort', start);
      },
    };
  }
}

const nothing = { readRows: 0, readBytes: 0, writtenRows: 0, elapsedS: 0 };

export const cancelled = () => new EngineError(394, 'QUERY_WAS_CANCELLED', 'Query was cancelled.');

function setStatement(settings: ReadonlyMap<string, string>): string {
  const parts = [...settings].map(([name, value]) => {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      throw new EngineError(115, 'UNKNOWN_SETTING', `Unknown setting '${name}'.`);
    }
    return `${name} = ${/^-?\d+(\.\d+)?$/.test(value) ? value : quoteText(value)}`;
  });
  return `SET ${parts.join(', ')}`;
}

function whole(result: ChdbResult): Answer {
  const summary = {
    readRows: result.rowsRead,
    readBytes: result.bytesRead,
    writtenRows: 0,
    elapsedS: result.elapsed,
  };
  return { chunks: one(result.bytes()), summary };
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}

async function* none(): AsyncGenerator<Uint8Array> {}

async function* pieces(
  stream: AsyncIterable<{ raw(): Uint8Array }>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    signal.throwIfAborted();
    const bytes = chunk.raw();
    if (bytes.length > 0) yield bytes;
  }
}
