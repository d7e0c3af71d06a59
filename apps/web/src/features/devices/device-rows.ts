import { buildHealth, type DeviceHealth } from '@albedo/contract/devices/devices.health';
import type { DeviceSummary } from '@albedo/contract/devices/devices.schema';
import { useMemo } from 'react';
import { useNow } from '../../app/now.ts';

/** A device of the list with its health as of the last full judgement. */
export interface DeviceRow {
  device: DeviceSummary;
  health: DeviceHealth;
}

/** Levels depend on time only by minutes and days, so all devices are judged again this often; changed ones at once. */
const JUDGE_EVERY_MS = 30_000;

const judged = new WeakMap<DeviceSummary, { now: number; row: DeviceRow }>();

/** Rows keep their identity as long as neither the device nor the judgement changes. */
export function useDeviceRows(devices: readonly DeviceSummary[]): DeviceRow[] {
  const now = useNow(JUDGE_EVERY_MS);
  return useMemo(() => judgeAll(devices, now), [devices, now]);
}

const judgedLists = new WeakMap<readonly DeviceSummary[], { now: number; rows: DeviceRow[] }>();

/** All views of the same list share its rows. */
function judgeAll(devices: readonly DeviceSummary[], now: number): DeviceRow[] {
  const known = judgedLists.get(devices);
  if (known?.now === now) return known.rows;
  const rows = devices.map((device) => judge(device, now));
  judgedLists.set(devices, { now, rows });
  return rows;
}

export function judge(device: DeviceSummary, now: number): DeviceRow {
  const known = judged.get(device);
  if (known?.now === now) return known.row;
  const row = { device, health: buildHealth(device, now) };
  judged.set(device, { now, row });
  return row;
}
