import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { killGroup, noteChild } from '../commands/children.ts';
import type { Log } from '../log.ts';
import { plainLine, type ServiceKeeper, type ServiceProgram } from './service-keeper.ts';

const RESTART_MS = 3000;
const KEPT_LINES = 200;
const STOP_MS = 5000;

interface Kept {
  program: ServiceProgram;
  child: ChildProcess | null;
  /** Says when it has ended. */
  ended: Promise<void>;
  timer: NodeJS.Timeout | null;
  isWanted: boolean;
  starts: number;
  lines: string[];
}

/** Keeps services as children of the agent, on machines without systemd. They end with it, however it ends. */
export class OwnKeeper implements ServiceKeeper {
  readonly #log: Log;
  readonly #kept = new Map<string, Kept>();

  constructor(log: Log) {
    this.#log = log;
  }

  async activate(name: string, program: ServiceProgram): Promise<void> {
    await this.deactivate(name);
    const kept: Kept = {
      program,
      child: null,
      ended: Promise.resolve(),
      timer: null,
      isWanted: true,
      starts: 0,
      lines: [],
    };
    this.#kept.set(name, kept);
    this.#start(name, kept);
  }

  async deactivate(name: string): Promise<void> {
    await this.pause(name);
    this.#kept.delete(name);
  }

  async pause(name: string): Promise<void> {
    const kept = this.#kept.get(name);
    if (!kept) return;
    kept.isWanted = false;
    if (kept.timer) clearTimeout(kept.timer);
    kept.timer = null;
    const { child } = kept;
    if (!child) return;
    child.kill('SIGTERM');
    const hard = setTimeout(() => killGroup(child.pid), STOP_MS);
    await kept.ended;
    clearTimeout(hard);
  }

  async resume(name: string): Promise<void> {
    const kept = this.#kept.get(name);
    if (!kept || kept.isWanted) return;
    kept.isWanted = true;
    this.#start(name, kept);
  }

  async isRunning(name: string): Promise<boolean> {
    return (this.#kept.get(name)?.child ?? null) !== null;
  }

  starts(name: string): number {
    return this.#kept.get(name)?.starts ?? 0;
  }

  async lines(name: string, count: number): Promise<string[]> {
    return this.#kept.get(name)?.lines.slice(-count) ?? [];
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#kept.keys()].map((name) => this.pause(name)));
  }

  #start(name: string, kept: Kept): void {
    kept.timer = null;
    kept.starts++;
    const { command, file } = kept.program;
    // Its input is a pipe that nothing is written to: it ends when the agent is gone, and the plugin with it.
    const child = spawn(command, ['-v', 'service', file], {
      // A group of its own, so that what it starts itself can be ended with it.
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ALBEDO_SUPERVISED: '1' },
    });
    kept.child = child;
    const forget = noteChild(child.pid);
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => keep(kept, line));
    }
    kept.ended = new Promise((resolve) => {
      const over = (why: string): void => {
        forget();
        if (kept.child !== child) return;
        kept.child = null;
        resolve();
        if (!kept.isWanted) return;
        keep(kept, `ended: ${why}; starts again in ${RESTART_MS / 1000} s`);
        this.#log.warn(`services: ${name} ended: ${why}`);
        kept.timer = setTimeout(() => this.#start(name, kept), RESTART_MS);
      };
      child.once('error', (error) => over(error.message));
      child.once('close', (code, signal) => over(signal ?? `exit code ${code}`));
    });
  }
}

function keep(kept: Kept, line: string): void {
  kept.lines.push(`${new Date().toISOString()} ${plainLine(line)}`);
  if (kept.lines.length > KEPT_LINES) kept.lines.splice(0, kept.lines.length - KEPT_LINES);
}
