import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { EngineOrder, EngineReport } from './engine-messages.ts';

/** The part of a logger that is used here; pino's fits. */
export interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}

export interface EmbeddedClickHouse {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Process that holds the engine now. */
  readonly pid: number;
  /** Ends reads, finishes writes, and resolves when the process is gone. */
  stop(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('./engine-process.ts', import.meta.url));
/** How long a process that is about to end (a killed parent's child) may still hold the folder. */
const FOLDER_WAIT_MS = 10_000;
const STOP_LIMIT_MS = 10_000;
/** Opening takes a second or so, more with thousands of parts. */
const START_LIMIT_MS = 120_000;
/**
 * The engine's calls wait on libuv's threads: a read for each processor and its KILL, an insert, a write, and four for files.
 * Each thread that ever worked keeps memory, and so does each arena of the C library, hence few of both.
 */
const MEMORY_ENV = {
  UV_THREADPOOL_SIZE: String(2 * availableParallelism() + 6),
  MALLOC_ARENA_MAX: '2',
};
const RESTART_MS = { first: 200, longest: 10_000, forgottenAfter: 60_000 };

/**
 * Starts ClickHouse's engine in a process of its own, behind ClickHouse's HTTP interface on loopback, with a random
 * port and password. A crash is a restart: address and password stay the same, requests fail meanwhile.
 *
 * Throws an error that names the folder when another process holds it, or when the engine cannot start.
 */
export async function startEmbeddedClickHouse(options: {
  dataDir: string;
  log: Log;
}): Promise<EmbeddedClickHouse> {
  const keeper = new Keeper(resolve(options.dataDir), options.log);
  await keeper.start();
  return {
    url: `http://127.0.0.1:${keeper.port}`,
    username: 'default',
    password: keeper.password,
    get pid() {
      return keeper.child?.pid ?? 0;
    },
    stop: () => keeper.stop(),
  };
}

class Keeper {
  readonly password = randomBytes(24).toString('base64url');
  port = 0;
  child: ChildProcess | null = null;
  readonly #dataDir: string;
  readonly #log: Log;
  #stopping = false;
  #restartMs = RESTART_MS.first;
  #restart: NodeJS.Timeout | undefined;

  constructor(dataDir: string, log: Log) {
    this.#dataDir = dataDir;
    this.#log = log;
  }

  async start(): Promise<void> {
    const until = Date.now() + FOLDER_WAIT_MS;
    for (;;) {
      try {
        await this.#launch();
        return;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        const isHeld = /Cannot lock file|already running/i.test(message);
        if (isHeld && Date.now() < until) await new Promise((done) => setTimeout(done, 250));
        else if (isHeld) {
          throw new Error(`The telemetry folder ${this.#dataDir} is in use by another process: ${message}`);
        } else throw new Error(`The embedded ClickHouse cannot start on ${this.#dataDir}: ${message}`);
      }
    }
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#restart);
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
    if (child.connected) child.send({ order: 'stop' } satisfies EngineOrder);
    await gone;
    clearTimeout(limit);
  }

  async #launch(): Promise<void> {
    const words: string[] = [];
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM], {
      // UTC: times without a zone mean the same here as on a server.
      env: { PATH: process.env.PATH ?? '', TZ: 'UTC', ...MEMORY_ENV },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.child = child;
    if (child.stderr) {
      createInterface({ input: child.stderr }).on('line', (line) => {
        if (words.length < 20) words.push(line);
        this.#log.warn({ line }, 'embedded ClickHouse says');
      });
    }
    const hangs = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS);
    const report = await this.#firstReport(child);
    clearTimeout(hangs);
    if (report.report === 'failed') {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      // The engine's own reason is on its error output only.
      throw new Error([report.message, ...words].join('; '));
    }
    this.port = report.port;
    const readyAt = Date.now();
    this.#log.info({ pid: child.pid, dataDir: this.#dataDir }, 'embedded ClickHouse is ready');
    child.once('exit', (code, signal) => this.#handleExit(code, signal, Date.now() - readyAt));
  }

  #firstReport(child: ChildProcess): Promise<EngineReport> {
    return new Promise((done) => {
      child.once('message', (report: EngineReport) => done(report));
      child.once('error', (error) => done({ report: 'failed', message: error.message }));
      child.once('exit', (code, signal) =>
        done({ report: 'failed', message: `its process ended (${signal ?? `code ${code}`})` }),
      );
      child.send({
        order: 'start',
        dataDir: this.#dataDir,
        port: this.port,
        password: this.password,
      } satisfies EngineOrder);
    });
  }

  #handleExit(code: number | null, signal: string | null, ranMs: number): void {
    if (this.#stopping) return;
    if (ranMs > RESTART_MS.forgottenAfter) this.#restartMs = RESTART_MS.first;
    this.#log.warn({ code, signal, restartMs: this.#restartMs }, 'embedded ClickHouse ended; restarting it');
    this.#restartLater();
  }

  #restartLater(): void {
    this.#restart = setTimeout(() => {
      this.#launch().catch((error: Error) => {
        if (this.#stopping) return;
        this.#log.warn({ error: error.message }, 'embedded ClickHouse cannot restart; trying again');
        this.#restartLater();
      });
    }, this.#restartMs);
    this.#restartMs = Math.min(this.#restartMs * 2, RESTART_MS.longest);
  }
}
