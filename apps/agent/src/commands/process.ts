import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isConfined } from '../confinement.ts';
import { messageOf } from '../log.ts';
import { killGroup, noteChild } from './children.ts';
import type { Finished } from './finished.ts';
import { runByKeeper } from './keeper.ts';
import type { WholeOutput } from './whole-output.ts';

/** The longest that a timer can wait; a longer one fires at once, ms. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Bytes of each output that are kept. */
export const OUTPUT_LIMIT = 1024 * 1024;

export interface RunOptions {
  timeoutMs: number;
  env?: Record<string, string>;
  signal?: AbortSignal;
  /** What keeps all of an output. */
  whole?: (name: 'stdout' | 'stderr') => WholeOutput;
}

/** Looked for when it is needed: an agent that may start nothing may not look either. */
const shellOf = (): string => (existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh');

/**
 * Runs a shell command line to its end. It gets a process group of its own, killed as a whole at the timeout, or
 * when `signal` says so. Never throws.
 */
export function runCommand(command: string, options: RunOptions): Promise<Finished> {
  if (isConfined()) return runByKeeper(command, options.timeoutMs);
  return new Promise((resolve) => {
    const stdout = new Output();
    const stderr = new Output();
    let killed = false;
    let error: string | null = null;
    let child: ChildProcess;
    try {
      child = spawn(shellOf(), ['-c', command], {
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, ...options.env },
      });
    } catch (thrown) {
      resolve({ stdout: '', stderr: '', returnCode: null, killed, error: messageOf(thrown), pid: null });
      return;
    }
    const forget = noteChild(child.pid);
    const kill = (): void => killGroup(child.pid);
    const timer = setTimeout(
      () => {
        killed = true;
        kill();
        // A grandchild in another group can hold the pipes open for ever.
        setTimeout(() => {
          child.stdout?.destroy();
          child.stderr?.destroy();
        }, 500).unref();
      },
      Math.min(options.timeoutMs, MAX_TIMER_MS),
    );
    options.signal?.addEventListener('abort', kill, { once: true });
    const [allOut, allErr] = [options.whole?.('stdout'), options.whole?.('stderr')];
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout.add(chunk);
      allOut?.add(chunk);
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr.add(chunk);
      allErr?.add(chunk);
    });
    child.on('error', (thrown) => {
      error = thrown.message;
    });
    child.on('close', (returnCode) => {
      forget();
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', kill);
      const texts = { stdout: stdout.text(), stderr: stderr.text() };
      const files = { stdoutFile: allOut?.end() ?? null, stderrFile: allErr?.end() ?? null };
      const kept = options.whole ? files : {};
      resolve({ ...texts, ...kept, returnCode, killed, error, pid: child.pid ?? null });
    });
  });
}

/** Starts a command that goes on without the agent; resolves with its process id at once. */
export function runDisowned(command: string): Promise<Finished> {
  return new Promise((resolve) => {
    const none = { stdout: '', stderr: '', returnCode: null, killed: false };
    const child = spawn(shellOf(), ['-c', command], { detached: true, stdio: 'ignore' });
    child.on('error', (thrown) => resolve({ ...none, error: thrown.message, pid: null }));
    child.on('spawn', () => {
      child.unref();
      resolve({ ...none, error: null, pid: child.pid ?? null });
    });
  });
}

/** Collects output up to the limit and says how much was cut. */
class Output {
  readonly #chunks: Buffer[] = [];
  #kept = 0;
  #cut = 0;

  add(chunk: Buffer): void {
    const room = OUTPUT_LIMIT - this.#kept;
    if (room > 0) this.#chunks.push(chunk.length > room ? Buffer.from(chunk.subarray(0, room)) : chunk);
    this.#kept += Math.min(chunk.length, Math.max(room, 0));
    this.#cut += chunk.length - Math.min(chunk.length, Math.max(room, 0));
  }

  text(): string {
    const text = Buffer.concat(this.#chunks).toString('utf8');
    return this.#cut > 0 ? `${text}\n[cut: ${this.#cut} more bytes]\n` : text;
  }
}
