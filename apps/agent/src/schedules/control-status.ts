import { watch } from 'node:fs';
import { join } from 'node:path';
import { controlStatus, type SetpointStatus } from '@albedo/contract/schedules/control-status';
import { readText } from './lasting-file.ts';

/** One that is late by so many of its rounds has ended, or hangs. */
const LATE_ROUNDS = 4;

/** What the control plugin said last of a setpoint; null where it said nothing, or nothing that can be read. */
export function statusOf(folder: string, path: string, now: number): SetpointStatus | null {
  try {
    const { at, everyMs, setpoints } = controlStatus.parse(
      JSON.parse(readText(join(folder, 'status.json')) ?? 'null'),
    );
    const status = setpoints.find((setpoint) => setpoint.path === path);
    if (!status || now - at < LATE_ROUNDS * everyMs) return status ?? null;
    const why = `PV control has said nothing since ${new Date(at).toISOString()}.`;
    const untold = status.inverters.map((one) => ({ ...one, result: 'notTestable' as const, why }));
    return { ...status, file: null, inverters: untold };
  } catch {
    // The plugin has not begun, or is another version.
    return null;
  }
}

/** Calls whenever something in the folder changes, until the signal aborts. A folder that cannot be watched is not. */
export function watchFolder(folder: string, onChange: () => void, signal: AbortSignal): void {
  try {
    watch(folder, { persistent: false, signal }, onChange).on('error', () => {});
  } catch {
    // Its callers look now and then.
  }
}
