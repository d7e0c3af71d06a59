/**
 * The devices that a session may know of, as they are at the moment of each question: a scope that is kept (by a socket,
 * by a live feed) follows every change of the group and of the devices.
 */
export interface DeviceScope {
  /** Bound to no group: every device of the workgroup. */
  readonly isAll: boolean;
  /** True for a device of the workgroup that is visible. */
  has(deviceId: string): boolean;
  /** Names of the sources that are visible of the device; null where all of them are. */
  sources(deviceId: string): ReadonlySet<string> | null;
  /** Ids of the visible devices. Not asked of a scope of all devices. */
  ids(): readonly string[];
  /** The same text as long as the same devices and sources are visible. */
  version(): string;
}

/** The devices of one device group. */
export interface GroupScope extends DeviceScope {
  readonly groupId: string;
}

/** For the system itself and for people in no group; that a device is one of the workgroup is checked elsewhere. */
export const ALL_DEVICES: DeviceScope = {
  isAll: true,
  has: () => true,
  sources: () => null,
  ids: () => [],
  version: () => 'all',
};

/** For people who are no members, and for people in a group that is gone. */
export const NO_DEVICES: DeviceScope = {
  isAll: false,
  has: () => false,
  sources: () => null,
  ids: () => [],
  version: () => 'none',
};

/** True where one source of a device is visible. */
export function seesSource(scope: DeviceScope, deviceId: string, source: string): boolean {
  return scope.has(deviceId) && (scope.sources(deviceId)?.has(source) ?? true);
}
