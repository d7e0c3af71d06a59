import { describe, expect, it } from 'vitest';
import { buildHealth } from './devices.health.ts';
import type { DeviceFacts, DeviceSummary } from './devices.schema.ts';

const NOW = Date.UTC(2026, 5, 1, 12);
const MINUTE = 60_000;
const DAY = 86_400_000;

function device(facts: Partial<DeviceFacts> = {}, ced = false): DeviceSummary {
  return {
    id: '7b0f4c56-9a86-4a35-8d5e-f2f3b1c2d3e4',
    name: 'Roof east',
    ced,
    createdAt: NOW - 30 * DAY,
    notAfter: null,
    quarantine: null,
    facts: {
      online: true,
      stateChangedAt: NOW - DAY,
      cloudLastDataAt: NOW - 5000,
      sourceLastDataAt: NOW - 5000,
      clockOffsetS: 0.2,
      cpuUsage: 12,
      cpuTemp: 45,
      memUsage: 30,
      diskUsage: 40,
      upTimeHours: 49,
      os: 'Debian GNU/Linux 12',
      blackBoxAt: NOW - MINUTE,
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

describe('health of a device', () => {
  it('is ok when every metric is', () => {
    const health = buildHealth(device(), NOW);
    expect(health.alertStatus.raw).toBe('ok');
    expect(health.upTime).toMatchObject({ display: '2 days', raw: 49 });
    expect(health.clockAccuracy.display).toBe('Good');
    expect(health.isCed.display).toBe('Edge device');
  });

  it.each([
    ['cpuUsage', { cpuUsage: 60 }, 'ok'],
    ['cpuUsage', { cpuUsage: 60.1 }, 'warning'],
    ['cpuUsage', { cpuUsage: 80.1 }, 'danger'],
    ['memUsage', { memUsage: 70.1 }, 'warning'],
    ['memUsage', { memUsage: 80.1 }, 'danger'],
    ['diskUsage', { diskUsage: 80 }, 'warning'],
    ['diskUsage', { diskUsage: 80.1 }, 'danger'],
    ['cpuTemp', { cpuTemp: 80.5 }, 'warning'],
    ['cpuTemp', { cpuTemp: 106 }, 'danger'],
    ['clockAccuracy', { clockOffsetS: -61 }, 'warning'],
    ['clockAccuracy', { clockOffsetS: 601 }, 'danger'],
    ['cloudLastData', { cloudLastDataAt: NOW - 181 * MINUTE }, 'warning'],
    ['cloudLastData', { cloudLastDataAt: NOW - 1441 * MINUTE }, 'danger'],
    ['statusSourceData', { sourceLastDataAt: NOW - DAY - MINUTE }, 'warning'],
    ['statusSourceData', { sourceLastDataAt: NOW - 2 * DAY - MINUTE }, 'danger'],
    ['osVersion', { os: 'Debian GNU/Linux 9.13' }, 'warning'],
    ['osVersion', { os: 'Debian GNU/Linux 8.11' }, 'danger'],
    ['osVersion', { os: 'Windows 3.11' }, 'danger'],
  ] as const)('grades %s of %o as %s, and the device with it', (column, facts, level) => {
    const health = buildHealth(device(facts), NOW);
    expect(health[column].class).toBe(level);
    expect(health.alertStatus.raw).toBe(level);
  });

  it('is danger while the device is offline, whatever its last metrics say', () => {
    const health = buildHealth(device({ online: false }), NOW);
    expect(health.deviceTitle).toMatchObject({ class: 'danger', alert: true, blackbox: false });
    expect(health.osVersion).toMatchObject({ display: 'offline', class: 'danger' });
  });

  it('does not judge memory, disk and temperature without black box data', () => {
    const health = buildHealth(device({ blackBoxAt: null, memUsage: 99, diskUsage: 99, cpuTemp: 200 }), NOW);
    expect(health.alertStatus.raw).toBe('ok');
    expect(health.hasBlackBox.display).toBe('no');
  });

  it('says that a metric is not available, as a warning of that cell alone', () => {
    const health = buildHealth(device({ cpuUsage: null, cloudLastDataAt: null }), NOW);
    expect(health.cpuUsage).toMatchObject({ display: 'not available', class: 'warning' });
    expect(health.alertStatus.raw).toBe('ok');
  });

  it('takes a cloud device as it is, without an operating system to judge', () => {
    expect(buildHealth(device({ os: null }, true), NOW).alertStatus.raw).toBe('ok');
    expect(buildHealth(device({ os: null }), NOW).osVersion).toMatchObject({
      display: 'unknown',
      class: 'danger',
    });
  });

  it('shows a negative temperature as none', () => {
    expect(buildHealth(device({ cpuTemp: -1 }), NOW).cpuTemp.display).toBe('none');
  });
});
