import type { Device, DeviceFacts } from '@albedo/contract/devices/devices.schema';
import { deviceMeta } from '@albedo/contract/devices/meta.schema';

let made = 0;

/** A healthy device that is online, but for the facts that are given. */
export function buildDevice(name: string, facts: Partial<DeviceFacts> = {}, now = Date.now()): Device {
  const number = String(++made);
  return {
    id: `${number.padStart(8, '0')}-0000-4000-8000-000000000000`,
    name,
    arch: 'arm64',
    ced: false,
    gnat: false,
    meta: deviceMeta.parse({}),
    settings: {},
    createdAt: now,
    notAfter: now + 1e10,
    quarantine: null,
    facts: {
      online: true,
      stateChangedAt: now,
      cloudLastDataAt: now,
      sourceLastDataAt: now,
      clockOffsetS: 0.2,
      cpuUsage: 10,
      cpuTemp: 40,
      memUsage: 30,
      diskUsage: 20,
      upTimeHours: 50,
      os: 'Debian 12.4',
      blackBoxAt: now,
      version: '1.6.96',
      starts: 3,
      crashes: 0,
      pendingEvents: 0,
      configDiffersSince: null,
      fallbackError: null,
      wentBack: null,
      gnat: false,
      ...facts,
    },
  };
}
