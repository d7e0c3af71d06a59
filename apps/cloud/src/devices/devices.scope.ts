import type { Device, LatestSource } from '@albedo/contract/devices/devices.schema';
import type { devicesEvents } from '@albedo/contract/devices/devices.socket';
import {
  type DeviceMeta,
  deviceMeta,
  resolveFields,
  SCENARIO_KINDS,
} from '@albedo/contract/devices/meta.schema';
import { type DeviceScope, seesSource } from '../access/device-scope.ts';
import type { Narrowings } from '../sockets/teller.ts';

/** The sources of a device that are visible. */
export const visibleSources = (scope: DeviceScope, device: string, all: LatestSource[]): LatestSource[] =>
  scope.isAll ? all : all.filter(({ source }) => seesSource(scope, device, source));

/**
 * What a device says it captures, of its visible sources. Where not all are visible, fields stand in their scenario
 * instead of in shared lists, and what concerns no single source is left out.
 */
export function visibleMeta(scope: DeviceScope, device: string, meta: DeviceMeta): DeviceMeta {
  const sources = scope.sources(device);
  if (sources === null) return meta;
  const kept = SCENARIO_KINDS.map((kind) => [
    kind,
    meta[kind]
      .filter(({ source }) => sources.has(source))
      .map((one) => ({ ...one, fieldAnchor: undefined, fields: resolveFields(meta, kind, one) })),
  ]);
  const { timezone } = meta;
  return deviceMeta.parse({ ...(timezone ? { timezone } : {}), ...Object.fromEntries(kept) });
}

/** Settings but for the general information may name any source, so they are not shown where some are hidden. */
export function visibleDevice(scope: DeviceScope, device: Device): Device {
  if (scope.sources(device.id) === null) return device;
  const { info } = device.settings;
  const settings = info === undefined ? {} : { info };
  return { ...device, meta: visibleMeta(scope, device.id, device.meta), settings };
}

/** What the sockets of a device group hear of devices. */
export const devicesNarrowings: Narrowings<typeof devicesEvents> = {
  'device:stateChange': (change, scope) => (scope.has(change.deviceId) ? change : null),
  'device:facts': (changes, scope) => {
    const visible = changes.filter(({ deviceId }) => scope.has(deviceId));
    return visible.length > 0 ? visible : null;
  },
  'device:new': (device, scope) => (scope.has(device.id) ? device : null),
  'device:changed': (device, scope) => (scope.has(device.id) ? device : null),
  'device:removed': (removed, scope) => (scope.has(removed.deviceId) ? removed : null),
  'device:metaChange': ({ deviceId, meta }, scope) =>
    scope.has(deviceId) ? { deviceId, meta: visibleMeta(scope, deviceId, deviceMeta.parse(meta)) } : null,
  'device:latest': ({ deviceId, sources }, scope) => {
    const visible = scope.has(deviceId) ? visibleSources(scope, deviceId, sources) : [];
    return visible.length > 0 ? { deviceId, sources: visible } : null;
  },
};
