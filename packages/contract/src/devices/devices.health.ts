import type { DeviceSummary } from './devices.schema.ts';

export type Level = 'ok' | 'warning' | 'danger';

export interface HealthCell {
  /** What a person reads. */
  display: string;
  /** What sorting and filtering use; null where nothing is known. */
  raw: number | string | boolean | null;
  class: Level;
}

/** Columns of the device list. Source: specification 2, section 3. */
export interface DeviceHealth {
  id: string;
  deviceTitle: HealthCell & { deviceId: string; blackbox: boolean; alert: boolean };
  status: HealthCell;
  upTime: HealthCell;
  cloudLastData: HealthCell;
  statusSourceData: HealthCell;
  clockAccuracy: HealthCell;
  cpuUsage: HealthCell;
  cpuTemp: HealthCell;
  memUsage: HealthCell;
  diskUsage: HealthCell;
  osVersion: HealthCell;
  alertStatus: HealthCell & { raw: Level };
  isCed: HealthCell;
  hasBlackBox: HealthCell;
}

/** Limits above which a metric is a warning or a danger. Source: specification 2, section 9. */
export const HEALTH_LIMITS = {
  sourceDataDays: { warning: 1, danger: 2 },
  cloudLastDataMinutes: { warning: 180, danger: 1440 },
  clockOffsetS: { warning: 60, danger: 600 },
  cpuUsage: { warning: 60, danger: 80 },
  memUsage: { warning: 70, danger: 80 },
  diskUsage: { warning: 70, danger: 80 },
  cpuTemp: { warning: 80, danger: 105 },
} as const;

/** Major version of the supported Linux: below `danger` is danger, below `warning` is a warning. */
export const OS_LIMITS = { danger: 9, warning: 10 } as const;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const NOT_AVAILABLE = 'not available';

/**
 * Judges a device by the facts at the instant `now` (epoch ms).
 *
 * An offline device is always danger. Metrics of the black box (uptime, temperature, memory, disk) count only while
 * the device is online and has black box data; a metric that is unknown is a warning in its own cell ("no data to
 * decide") but does not make the device a warning. Source: specification 2, sections 3, 4 and 9.
 */
export function buildHealth(device: DeviceSummary, now: number): DeviceHealth {
  const { facts } = device;
  const hasBlackBox = facts.online && facts.blackBoxAt !== null;
  const status: HealthCell = facts.online
    ? { display: 'online', raw: 'online', class: 'ok' }
    : { display: 'offline', raw: 'offline', class: 'danger' };

  const cloudLastData = ageCell(facts.cloudLastDataAt, now, MINUTE_MS, HEALTH_LIMITS.cloudLastDataMinutes);
  const statusSourceData = ageCell(facts.sourceLastDataAt, now, DAY_MS, HEALTH_LIMITS.sourceDataDays);
  const clockAccuracy = clockCell(facts.clockOffsetS);
  const cpuUsage = percentCell(facts.cpuUsage, HEALTH_LIMITS.cpuUsage);
  const memUsage = percentCell(facts.memUsage, HEALTH_LIMITS.memUsage);
  const diskUsage = percentCell(facts.diskUsage, HEALTH_LIMITS.diskUsage);
  const cpuTemp = temperatureCell(facts.cpuTemp);
  const osVersion = device.ced
    ? { display: facts.os ?? 'unknown', raw: facts.os, class: 'ok' as const }
    : osCell(facts.os, facts.online);
  const upTime = upTimeCell(facts.upTimeHours);

  const judged: [HealthCell, unknown][] = [
    [cloudLastData, facts.cloudLastDataAt],
    [statusSourceData, facts.sourceLastDataAt],
    [clockAccuracy, facts.clockOffsetS],
    [cpuUsage, facts.cpuUsage],
    [osVersion, true],
    ...(hasBlackBox
      ? ([
          [memUsage, facts.memUsage],
          [diskUsage, facts.diskUsage],
          [cpuTemp, facts.cpuTemp],
        ] satisfies [HealthCell, unknown][])
      : []),
  ];
  const level = facts.online
    ? worst(judged.filter(([, fact]) => fact !== null).map(([cell]) => cell.class))
    : 'danger';

  return {
    id: device.id,
    deviceTitle: {
      display: device.name,
      raw: device.name,
      class: level,
      deviceId: device.id,
      blackbox: hasBlackBox,
      alert: level === 'danger',
    },
    status,
    upTime,
    cloudLastData,
    statusSourceData,
    clockAccuracy,
    cpuUsage,
    cpuTemp,
    memUsage,
    diskUsage,
    osVersion,
    alertStatus: { display: level, raw: level, class: level },
    isCed: { display: device.ced ? 'Cloud device' : 'Edge device', raw: device.ced, class: 'ok' },
    hasBlackBox: { display: hasBlackBox ? 'yes' : 'no', raw: hasBlackBox, class: 'ok' },
  };
}

function worst(levels: Level[]): Level {
  if (levels.includes('danger')) return 'danger';
  return levels.includes('warning') ? 'warning' : 'ok';
}

function grade(value: number, limits: { warning: number; danger: number }): Level {
  if (value > limits.danger) return 'danger';
  return value > limits.warning ? 'warning' : 'ok';
}

const unknownCell = (): HealthCell => ({ display: NOT_AVAILABLE, raw: null, class: 'warning' });

function percentCell(value: number | null, limits: { warning: number; danger: number }): HealthCell {
  if (value === null) return unknownCell();
  return { display: `${value.toFixed(1)} %`, raw: value, class: grade(value, limits) };
}

/** Age of `at` in units of `unitMs`, graded by `limits` in the same unit; `raw` is the age in ms. */
function ageCell(
  at: number | null,
  now: number,
  unitMs: number,
  limits: { warning: number; danger: number },
): HealthCell {
  if (at === null || !Number.isFinite(at)) return unknownCell();
  const ageMs = Math.max(0, now - at);
  return { display: ageText(ageMs), raw: ageMs, class: grade(ageMs / unitMs, limits) };
}

/** An age for people: the largest unit that fits, whole numbers. */
export function ageText(ageMs: number): string {
  const steps: [number, string][] = [
    [DAY_MS, 'd'],
    [3_600_000, 'h'],
    [MINUTE_MS, 'min'],
  ];
  for (const [ms, unit] of steps) if (ageMs >= ms) return `${Math.floor(ageMs / ms)} ${unit} ago`;
  return ageMs < 10_000 ? 'just now' : `${Math.floor(ageMs / 1000)} s ago`;
}

function clockCell(offsetS: number | null): HealthCell {
  if (offsetS === null) return unknownCell();
  const level = grade(Math.abs(offsetS), HEALTH_LIMITS.clockOffsetS);
  const word = { ok: 'Good', warning: 'Moderate', danger: 'Poor' }[level];
  return { display: word, raw: offsetS, class: level };
}

function temperatureCell(celsius: number | null): HealthCell {
  if (celsius === null) return unknownCell();
  if (celsius < 0) return { display: 'none', raw: null, class: 'ok' };
  return { display: `${celsius.toFixed(1)} °C`, raw: celsius, class: grade(celsius, HEALTH_LIMITS.cpuTemp) };
}

function upTimeCell(hours: number | null): HealthCell {
  if (hours === null) return unknownCell();
  const days = Math.floor(hours / 24);
  return { display: `${days} ${days === 1 ? 'day' : 'days'}`, raw: hours, class: 'ok' };
}

function osCell(os: string | null, online: boolean): HealthCell {
  if (!online) return { display: 'offline', raw: os, class: 'danger' };
  if (os === null || os.trim() === '') return { display: 'unknown', raw: null, class: 'danger' };
  const version = /^(?:debian|albedo)\D*(\d+(?:\.\d+)?)/i.exec(os)?.[1];
  if (version === undefined) return { display: os, raw: os, class: 'danger' };
  const major = Number(version);
  const level = major < OS_LIMITS.danger ? 'danger' : major < OS_LIMITS.warning ? 'warning' : 'ok';
  return { display: os, raw: os, class: level };
}
