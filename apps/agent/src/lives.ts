import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Log, messageOf } from './log.ts';

const note = z.object({
  starts: z.number().int().min(0),
  crashes: z.number().int().min(0),
  isRunning: z.boolean(),
  /** Of the boot that it ran in: a machine that lost its power did not crash. */
  boot: z.string(),
});

/** How often this agent has started, and how often it ended without being asked to, while the machine ran on. */
export class Lives {
  readonly #file: string;
  readonly #log: Log;
  #note = { starts: 0, crashes: 0, isRunning: false, boot: '' };

  constructor(stateDirectory: string, log: Log) {
    this.#file = join(stateDirectory, 'lives.json');
    this.#log = log;
  }

  get starts(): number {
    return this.#note.starts;
  }

  get crashes(): number {
    return this.#note.crashes;
  }

  begin(): void {
    const before = this.#read();
    const boot = bootId();
    const crashed = before.isRunning && before.boot === boot;
    this.#note = {
      starts: before.starts + 1,
      crashes: before.crashes + (crashed ? 1 : 0),
      isRunning: true,
      boot,
    };
    this.#write();
  }

  end(): void {
    this.#note.isRunning = false;
    this.#write();
  }

  #read(): z.output<typeof note> {
    try {
      return note.parse(JSON.parse(readFileSync(this.#file, 'utf8')));
    } catch {
      // None yet, or damaged: counting begins again.
      return { starts: 0, crashes: 0, isRunning: false, boot: '' };
    }
  }

  #write(): void {
    try {
      mkdirSync(join(this.#file, '..'), { recursive: true });
      writeFileSync(`${this.#file}.new`, JSON.stringify(this.#note));
      renameSync(`${this.#file}.new`, this.#file);
    } catch (error) {
      this.#log.warn(`The number of starts could not be kept: ${messageOf(error)}`);
    }
  }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    // Not every system tells.
    return '';
  }
}
