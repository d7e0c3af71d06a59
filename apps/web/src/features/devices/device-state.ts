import type { DeviceHealth } from '@albedo/contract/devices/devices.health';
import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';

/**
 * Whether the device was never there: it counts as offline and in danger, as every other one that is not connected, and
 * reads as what it is, a machine that waits for its agent.
 */
export const isAwaited = ({ facts, quarantine }: Pick<DeviceSummary, 'facts' | 'quarantine'>): boolean =>
  !quarantine && !facts.online && facts.stateChangedAt === null && facts.version === null;

/** Why a value of the health record is missing, as a key of the texts; undefined where it is not. */
export function reasonOf(
  { facts }: DeviceSummary,
  health: DeviceHealth,
  key: keyof DeviceHealth,
): string | undefined {
  const cell = health[key];
  if (typeof cell === 'string' || cell.raw !== null) return undefined;
  const isOfBlackBox = BLACK_BOX.has(key);
  if (isOfBlackBox && facts.blackBoxAt === null) return 'devices.missing.noBlackBox';
  if (isOfBlackBox || key === 'cpuUsage') return 'devices.missing.notMeasured';
  return key === 'clockAccuracy' ? 'devices.missing.notReported' : 'devices.missing.noData';
}

const BLACK_BOX = new Set<keyof DeviceHealth>(['upTime', 'cpuTemp', 'memUsage', 'diskUsage']);
