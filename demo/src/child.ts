import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, renameSync, rmSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { REPOSITORY } from './settings.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A child that ran so long has recovered; its next pause is short again. */
const STEADY_MS = 60_000;
const STOP_MS = 11_000;

export interface ChildOptions {
  name: string;
  program: string;
  args: string[];
  /** Options of Node itself. */
  nodeArgs?: string[];
  env?: Record<string, string>;
  /** Folder of the child's log file. */
  logDir: string;
  onLine?: (line: string) => void;
  onRestart?: (reason: string, pauseMs: number) => void;
}

/**
 * One child process: its output goes to `<logDir>/<name>.log`, it begins again with growing pauses when it dies, and
 * it ends when this process ends.
 */
export class Child {
  readonly name: string;
  readonly #options: ChildOptions;
  #process: ChildProcess | null = null;
  #log: WriteStream | null = null;
  #pauseMs = FIRST_PAUSE_MS;
  #timer: NodeJS.Timeout | null = null;
  #isStopping = false;
  #isKeptAlive = false;
  /** The last lines on stderr, for a message when the child cannot start. */
  lastErrors: string[] = [];

  constructor(options: ChildOptions) {
    this.name = options.name;
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  start(): void {
    const { name, logDir } = this.#options;
    mkdirSync(logDir, { recursive: true });
    const file = join(logDir, `${name}.log`);
    rmSync(`${file}.1`, { force: true });
    try {
      renameSync(file, `${file}.1`);
    } catch {
      // The first start has no older log.
    }
    this.#log = createWriteStream(file);
    this.#spawn();
  }

  /** From now on the child begins again when it dies; one that ends with code 0 has done its work. */
  keepAlive(): void {
    this.#isKeptAlive = true;
  }

  /** Resolves with the exit code when a running child ends for good; null when a signal ended it. */
  async exited(): Promise<number | null> {
    if (!this.#process || this.#process.exitCode !== null) return this.#process?.exitCode ?? null;
    const [code] = await once(this.#process, 'exit');
    return code;
  }

  /** Asks the child to end, then insists. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#timer) clearTimeout(this.#timer);
    const child = this.#process;
    if (child && child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      const insist = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await gone;
      clearTimeout(insist);
    }
    this.#log?.end();
  }

  #spawn(): void {
    const { program, args, nodeArgs = [], env } = this.#options;
    const startedAt = performance.now();
    const preload = new URL('with-parent.ts', import.meta.url).href;
    const child = spawn(process.execPath, ['--import', preload, ...nodeArgs, program, ...args], {
      cwd: REPOSITORY,
      env: { ...process.env, NODE_COMPILE_CACHE: join(REPOSITORY, 'node_modules/.cache/compile'), ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // Control-C in a terminal goes to the whole group; the orchestrator alone decides the order of stopping.
      detached: true,
    });
    this.#process = child;
    if (child.stdout) createInterface({ input: child.stdout }).on('line', (line) => this.#take(line));
    if (child.stderr) createInterface({ input: child.stderr }).on('line', (line) => this.#takeError(line));
    child.on('error', (error) => this.#takeError(error.message));
    child.once('exit', (code, signal) =>
      this.#ended(signal ?? `code ${code}`, code, performance.now() - startedAt),
    );
  }

  #take(line: string): void {
    this.#log?.write(`${line}\n`);
    this.#options.onLine?.(line);
  }

  #takeError(line: string): void {
    this.#log?.write(`${line}\n`);
    this.lastErrors = [...this.lastErrors.slice(-9), line];
  }

  #ended(reason: string, code: number | null, ranMs: number): void {
    if (this.#isStopping || !this.#isKeptAlive || code === 0) return;
    if (ranMs > STEADY_MS) this.#pauseMs = FIRST_PAUSE_MS;
    this.#options.onRestart?.(reason, this.#pauseMs);
    this.#timer = setTimeout(() => this.#spawn(), this.#pauseMs);
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2);
  }
}
