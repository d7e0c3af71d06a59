import { deviceCommandsApi } from '@albedo/contract/device-commands/device-commands.api';
import type { DeviceCommand } from '@albedo/contract/device-commands/device-commands.schema';
import { type CameraMove, cameraValues } from '@albedo/contract/photos/camera-moves';
import { call } from '../../app/call.ts';
import { runCommand } from '../device-commands/device-commands.queries.ts';

/** How often a move that goes on is looked at, ms. */
const LOOK_MS = 400;

/**
 * Tells a camera what to do, and resolves once it did. Errors: what the server refuses; else what the device says, or
 * null where it is offline.
 */
export async function steerCamera(
  { wg, device, source }: { wg: string; device: string; source: string },
  command: DeviceCommand,
  move: CameraMove,
): Promise<{ isDone: boolean; said: string | null }> {
  const values = cameraValues(command, source, move);
  const run = await runCommand(wg, command, { devices: [device], values });
  for (;;) {
    const outcomes = await call(deviceCommandsApi.outcome, { params: { wg, run } });
    const own = outcomes.find(({ deviceId }) => deviceId === device);
    if (own?.state === 'done') return { isDone: true, said: null };
    if (own && own.state !== 'waiting' && own.state !== 'running') {
      const said = own.error ?? lastLine(own.stderr);
      return { isDone: false, said: said === '' ? null : said };
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1)?.slice(0, 300) ?? '';
