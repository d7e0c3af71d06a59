import type { BulkPlan } from '@albedo/contract/bulk-actions/bulk-actions.schema';
import type { BulkRow, TargetRow } from './bulk-actions.store.ts';

const MINUTE_MS = 60_000;

/** The first wave, then those of the usual size. */
export function wavesOf(devices: readonly string[], { firstWave, waveSize }: BulkPlan): string[][] {
  const waves = [devices.slice(0, firstWave)];
  for (let at = firstWave; at < devices.length; at += waveSize) waves.push(devices.slice(at, at + waveSize));
  return waves;
}

/** All devices of the wave had their turn, as far as they are there, and were watched for long enough. */
export function isWaveOver({ wave, plan }: BulkRow, targets: readonly TargetRow[], now: number): boolean {
  const own = targets.filter((target) => target.wave === wave);
  if (own.some(({ state }) => state === 'waiting' || state === 'working')) return false;
  const ended = own.flatMap(({ endedAt }) => endedAt?.getTime() ?? []);
  // A wave of which nobody has had a turn says nothing yet.
  if (plan.gates && ended.length === 0 && own.some(({ state }) => state === 'queued')) return false;
  return now >= Math.max(0, ...ended) + plan.soakMinutes * MINUTE_MS;
}
