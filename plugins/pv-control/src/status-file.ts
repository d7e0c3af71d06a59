import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ControlStatus, SetpointStatus } from '@albedo/contract/schedules/control-status';

/** What always changes, as power does, is written so often; flash memory wears. */
const EVERY_MS = 5000;

/** `status.json` of the folder, by which the agent knows what came of setpoints: each state of it is whole. */
export class StatusFile {
  readonly #file: string;
  #written = { text: '', at: Number.NEGATIVE_INFINITY };

  constructor(folder: string) {
    this.#file = join(folder, 'status.json');
  }

  /** `roundMs`: how long a round takes, with its pause. */
  write(setpoints: SetpointStatus[], now: number, roundMs: number): void {
    const text = JSON.stringify(
      setpoints.map(({ inverters, ...setpoint }) => [
        setpoint,
        inverters.map(({ at: _, powerW: __, ...inverter }) => inverter),
      ]),
    );
    const isDue = Math.abs(now - this.#written.at) >= EVERY_MS;
    if (text === this.#written.text && !isDue) return;
    const status: ControlStatus = { v: 1, at: now, everyMs: Math.max(EVERY_MS, roundMs), setpoints };
    writeFileSync(`${this.#file}.new`, JSON.stringify(status), { mode: 0o664 });
    renameSync(`${this.#file}.new`, this.#file);
    this.#written = { text, at: now };
  }
}
