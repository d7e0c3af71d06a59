import type { EnergyConfigName } from '@albedo/contract/energy/energy.names';
import { type EnergyConfigs, isSensorRole, isSignalRole } from '@albedo/contract/energy/energy-config.schema';
import { isTimeZone } from '@albedo/contract/time/zoned-time';
import { parseOrientation } from '@albedo/energy/orientation';
import { invalid } from '../errors/request-issues.ts';
import type { Mapped } from './energy-rates.ts';

/** What no schema can say of a configuration. Throws `request.invalid` with the part at fault. */
export function checkConfig(name: EnergyConfigName, config: unknown, devices: ReadonlySet<string>): void {
  CHECKS[name]?.(config as never, devices);
  const mapped = config as Partial<Mapped>;
  for (const id of Object.keys(mapped.devices ?? {}))
    if (!devices.has(id)) throw invalid('issue.energy_device', {}, `value.devices.${id}`);
  if (mapped.roles) checkRoles(mapped as Mapped, devices);
}

type Checks = {
  [Name in EnergyConfigName]?: (config: EnergyConfigs[Name], devices: ReadonlySet<string>) => void;
};

const CHECKS: Checks = {
  'daily-energy-config': ({ timezone }) => {
    if (timezone !== 'device' && timezone !== 'UTC' && !isTimeZone(timezone))
      throw invalid('issue.energy_zone', {}, 'value.timezone');
  },
  'performance-ratio-config': ({ irradiance, band }) => {
    if (new Set(irradiance).size < irradiance.length) throw invalid('issue.twice', {}, 'value.irradiance');
    if (band.from > band.to) throw invalid('issue.end_first', {}, 'value.band');
  },
  'iec-perf-ratio-config': ({ reference, referenceTemperatureC }) => {
    if (reference === 'contract' && referenceTemperatureC === null)
      throw invalid('issue.energy_reference', {}, 'value.referenceTemperatureC');
  },
  'availability-config': ({ exclusions }, devices) => {
    exclusions.forEach(({ from, to, deviceId }, i) => {
      if (to <= from) throw invalid('issue.end_first', {}, `value.exclusions.${i}.to`);
      if (deviceId !== null && !devices.has(deviceId))
        throw invalid('issue.energy_device', {}, `value.exclusions.${i}.deviceId`);
    });
  },
  'meter-data-config': ({ codes, sites }, devices) => {
    const known = new Set(codes.map(({ code }) => code));
    const twice = (all: readonly string[], of: string) => {
      const at = all.findIndex((one, i) => all.indexOf(one) < i);
      if (at >= 0) throw invalid('issue.twice', {}, `value.sites.${at}.${of}`);
    };
    twice(
      sites.map(({ id }) => id),
      'id',
    );
    twice(
      sites.map(({ name }) => name.toLowerCase()),
      'name',
    );
    sites.forEach((site, i) => {
      for (const part of ['codes', 'devices'] as const)
        if (new Set<string>(site[part]).size < site[part].length)
          throw invalid('issue.twice', {}, `value.sites.${i}.${part}`);
      site.codes.forEach((code, k) => {
        if (!known.has(code)) throw invalid('issue.energy_code', { code }, `value.sites.${i}.codes.${k}`);
      });
      site.devices.forEach((id, k) => {
        if (!devices.has(id)) throw invalid('issue.energy_device', {}, `value.sites.${i}.devices.${k}`);
      });
    });
  },
};

const DEGREES: Readonly<Record<string, readonly [from: number, to: number]>> = {
  latitude: [-90, 90],
  longitude: [-180, 180],
  slope: [0, 90],
};

/** Values that stand in the mapping itself are read at once, so that a mistake is seen by whoever makes it. */
function checkRoles({ roles, devices, entities }: Mapped, known: ReadonlySet<string>): void {
  const all = [
    ['value.roles', roles] as const,
    ...Object.entries(devices).map(([id, own]) => [`value.devices.${id}`, own] as const),
    ...Object.entries(entities).map(([id, own]) => [`value.entities.${id}`, own] as const),
  ];
  for (const [path, own] of all) {
    for (const [role, origin] of Object.entries(own)) {
      if (origin && isSignalRole(role) && origin.from !== 'field')
        throw invalid('issue.energy_signal', {}, `${path}.${role}.from`);
      if (isSensorRole(role) && path.startsWith('value.entities.'))
        throw invalid('issue.energy_signal_entity', {}, `${path}.${role}`);
      if (origin?.from === 'field' && origin.device !== undefined) {
        if (!isSensorRole(role)) throw invalid('issue.energy_signal_device', {}, `${path}.${role}.device`);
        if (!known.has(origin.device)) throw invalid('issue.energy_device', {}, `${path}.${role}.device`);
      }
      if (origin?.from !== 'value') continue;
      const place = `${path}.${role}.value`;
      const [from, to] = DEGREES[role] ?? [];
      const value = Number(origin.value);
      const isList = role === 'slope' && typeof origin.value === 'string' && Number.isNaN(value);
      if (from !== undefined && to !== undefined && !isList && !(value >= from && value <= to))
        throw invalid('issue.energy_latitude', { from: String(from), to: String(to) }, place);
      if (role === 'azimuth') checkOrientation(String(origin.value), place);
    }
  }
}

/** Slopes may stand elsewhere, so that none beside an azimuth is no mistake. */
function checkOrientation(azimuth: string, path: string): void {
  const read = parseOrientation(azimuth, 0);
  if (read.planes === null)
    throw invalid('issue.energy_orientation', { at: String(read.at + 1), what: read.fault }, path);
}
