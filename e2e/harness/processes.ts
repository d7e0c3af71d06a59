import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Ends a Node program with the process that started it, however that one ended. */
const WITH_PARENT = new URL('../../demo/src/with-parent.ts', import.meta.url).href;

/** A program under test that can be killed at any moment and started again with the same arguments. */
export class Program {
  readonly name: string;
  readonly #args: string[];
  readonly #env: Record<string, string>;
  readonly #command: string;
  #child: ChildProcess | null = null;
  #output = '';

  constructor(
    name: string,
    args: string[],
    env: Record<string, string> = {},
    command: string = process.execPath,
  ) {
    this.name = name;
    this.#args = args;
    this.#env = env;
    this.#command = command;
  }

  /** The last 20,000 characters it printed, for the message of a failing test. */
  get output(): string {
    return this.#output;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get isRunning(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  start(): void {
    const isNode = this.#command === process.execPath;
    const child = spawn(this.#command, isNode ? ['--import', WITH_PARENT, ...this.#args] : this.#args, {
      env: { ...process.env, ...this.#env },
      stdio: ['ignore', 'pipe', 'pipe', ...(isNode ? (['ipc'] as const) : [])],
    });
    child.channel?.unref();
    const keep = (chunk: Buffer) => {
      this.#output = (this.#output + chunk.toString()).slice(-20_000);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    this.#child = child;
  }

  /** Pauses it, or lets it go on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child?.kill(signal);
  }

  /** Ends it with the signal and waits until it is gone; answers its exit code, null after SIGKILL. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const child = this.#child;
    if (!child || !this.isRunning) return child?.exitCode ?? null;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
    return child.exitCode;
  }
}

/**
 * Waits until `probe` answers something other than undefined or false; a throwing probe counts as "not yet".
 * `explain` is added to the message of the failure.
 */
export async function until<T>(
  what: string,
  seconds: number,
  probe: () => Promise<T | undefined | false>,
  explain: () => string = () => '',
  everyMs = 200,
): Promise<T> {
  const deadline = Date.now() + seconds * 1000;
  let last: unknown;
  while (Date.now() < deadline) {
    try {
      const answer = await probe();
      if (answer !== undefined && answer !== false) return answer;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  throw new Error(`Waited ${seconds} s in vain: ${what}${last ? ` (${String(last)})` : ''}\n${explain()}`);
}
