import { deviceCommandsApi } from '@albedo/contract/device-commands/device-commands.api';
import type { CommandOutcome, DeviceCommand } from '@albedo/contract/device-commands/device-commands.schema';
import { call } from '../../../../app/call.ts';

/** How often a run that goes on is looked at, ms. */
const LOOK_MS = 1000;

/** What came of one command over its devices. */
export interface Done {
  command: string;
  good: number;
  bad: number;
}

/**
 * Runs commands one after the other on the devices, each when the one before is over, and tells how each ended. A command
 * that failed anywhere is the last one. Errors: what the server refuses.
 */
export async function runCommands(
  wg: string,
  commands: readonly DeviceCommand[],
  of: { devices: readonly string[]; values: Readonly<Record<string, Record<string, string>>> },
  tell: (done: Done) => void,
): Promise<void> {
  for (const { _id, name, device } of commands) {
    const devices = device === null ? [...of.devices] : [device];
    const body = { devices, values: of.values[_id] ?? {} };
    const { id } = await call(deviceCommandsApi.run, { params: { wg, command: _id }, body });
    const outcomes = await ended(wg, id, devices.length);
    const good = outcomes.filter(
      ({ state, returnCode }) => state === 'done' && (returnCode ?? 0) === 0,
    ).length;
    tell({ command: name, good, bad: outcomes.length - good });
    if (good < outcomes.length) return;
  }
}

async function ended(wg: string, run: string, devices: number): Promise<CommandOutcome[]> {
  for (;;) {
    const outcomes = await call(deviceCommandsApi.outcome, { params: { wg, run } });
    const isOver = outcomes.every(({ state }) => state !== 'waiting' && state !== 'running');
    if (isOver && outcomes.length >= devices) return outcomes;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
