import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { SetpointKind } from '@albedo/contract/schedules/setpoints';
import { InputError } from '@albedo/plugin-kit/command-line/input-error';
import { messageOf } from '@albedo/plugin-kit/command-line/log';
import type { Raw } from './channels.ts';

/** What was in the registers before our first write. */
export interface Original {
  /** Epoch ms. */
  at: number;
  /** Whose it is: the inverter's own, or what another controller left there. */
  owner: 'inverter' | 'another controller';
  registers: Raw;
}

export interface Written {
  /** Epoch ms. */
  at: number;
  /** What was asked for, and what the registers read after it. */
  asked: Raw;
  registers: Raw;
  /** Seconds of the inverter's timer, 0 without one. */
  timerS: number;
  /** False until the registers were read back: the process may have ended in the middle of it. */
  isConfirmed: boolean;
  provider: string;
  /** Of the plant, and of an active power this inverter's share, % of its rating. */
  value: string;
  /** Since when its schedule has said so, epoch ms; null where it does not begin. */
  since: number | null;
  limitPct?: number;
}

/** One kind of setpoint of one inverter that is ours, or was touched by us. */
export interface KeptChannel {
  original: Original;
  written: Written | null;
}

export interface KeptInverter {
  serial: string;
  ratedW: number;
  channels: Partial<Record<SetpointKind, KeptChannel>>;
  /** Writes to registers that wear, by name. `day` is that of UTC. */
  wear: { day: string; writes: Record<string, number> };
}

interface KeptFile {
  version: 1;
  inverters: Record<string, KeptInverter>;
}

/**
 * What has to outlive this process, in one file that is replaced as a whole and is on the disk when `save` returns.
 *
 * Rule: save before the write to the inverter that it is about.
 */
export class KeptState {
  readonly #file: string;
  #kept: KeptFile = { version: 1, inverters: {} };

  constructor(file: string) {
    this.#file = file;
  }

  /** Throws `InputError` for a file that nobody can read: what is ours would be taken for the original. */
  load(): void {
    if (!existsSync(this.#file)) return;
    try {
      const kept = JSON.parse(readFileSync(this.#file, 'utf8')) as KeptFile;
      if (kept.version !== 1) throw new Error(`version ${kept.version} is not known`);
      this.#kept = kept;
    } catch (error) {
      throw new InputError(
        `${this.#file}: ${messageOf(error)}; it says what inverters had before us, so nothing is written until it is mended or removed`,
      );
    }
  }

  inverter(name: string): KeptInverter | null {
    return this.#kept.inverters[name] ?? null;
  }

  set(name: string, inverter: KeptInverter): void {
    this.#kept.inverters[name] = inverter;
  }

  names(): string[] {
    return Object.keys(this.#kept.inverters);
  }

  save(): void {
    const folder = dirname(this.#file);
    mkdirSync(folder, { recursive: true });
    const file = openSync(`${this.#file}.new`, 'w', 0o660);
    writeSync(file, `${JSON.stringify(this.#kept, null, 1)}\n`);
    fsyncSync(file);
    closeSync(file);
    renameSync(`${this.#file}.new`, this.#file);
    // The name is on the disk once its folder is.
    const directory = openSync(folder, 'r');
    fsyncSync(directory);
    closeSync(directory);
  }
}
