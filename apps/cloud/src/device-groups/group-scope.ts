import type { Composition } from '@albedo/contract/device-groups/device-groups.schema';
import type { DeviceScope } from '../access/device-scope.ts';
import type { DeviceRegistry, RegisteredDevice } from '../registry/registry.ts';

/** A composition, ready to be asked. */
export interface Rule {
  matches(device: RegisteredDevice): boolean;
  sources(deviceId: string): ReadonlySet<string> | null;
}

export function ruleOf(composition: Composition): Rule {
  switch (composition.type) {
    case 'IN': {
      const ids = new Set(composition.devices);
      return { matches: ({ id }) => ids.has(id), sources: () => null };
    }
    case 'NOT IN': {
      const ids = new Set(composition.devices);
      return { matches: ({ id }) => !ids.has(id), sources: () => null };
    }
    case 'META': {
      const { field, operator, value } = composition;
      const isEqual = operator === '=';
      const has = ({ info }: RegisteredDevice) => Object.hasOwn(info, field) && info[field] === value;
      return { matches: (device) => has(device) === isEqual, sources: () => null };
    }
    case 'SRC': {
      const devices = new Map(
        composition.devices.map(({ device, sources }) => [device, sources && new Set(sources)]),
      );
      return { matches: ({ id }) => devices.has(id), sources: (id) => devices.get(id) ?? null };
    }
  }
}

/** A group as it is kept in memory; `revision` is another one after every change. */
export interface KnownGroup {
  id: string;
  workgroup: string;
  name: string;
  composition: Composition;
  rule: Rule;
  revision: number;
}

/** What members of one group may see. Without the group, nothing. */
export class GroupScope implements DeviceScope {
  readonly isAll = false;
  readonly groupId: string;
  readonly #workgroup: string;
  readonly #registry: DeviceRegistry;
  readonly #group: () => KnownGroup | undefined;
  #kept: {
    of: readonly RegisteredDevice[];
    revision: number;
    ids: readonly string[];
    version: string;
  } | null = null;

  constructor(of: {
    workgroup: string;
    groupId: string;
    registry: DeviceRegistry;
    group: () => KnownGroup | undefined;
  }) {
    this.#workgroup = of.workgroup;
    this.groupId = of.groupId;
    this.#registry = of.registry;
    this.#group = of.group;
  }

  has(deviceId: string): boolean {
    const device = this.#registry.known(deviceId);
    return device?.workgroup === this.#workgroup && (this.#group()?.rule.matches(device) ?? false);
  }

  sources(deviceId: string): ReadonlySet<string> | null {
    return this.#group()?.rule.sources(deviceId) ?? null;
  }

  ids(): readonly string[] {
    return this.#materialised().ids;
  }

  version(): string {
    return this.#materialised().version;
  }

  /** The list of devices is another array after every change of a device, which is how a stale one is known. */
  #materialised() {
    const of = this.#registry.inWorkgroup(this.#workgroup);
    const group = this.#group();
    const revision = group?.revision ?? 0;
    if (this.#kept?.of === of && this.#kept.revision === revision) return this.#kept;
    const ids = group ? of.filter((device) => group.rule.matches(device)).map(({ id }) => id) : [];
    const version = `${this.groupId} ${revision} ${versions++}`;
    this.#kept = { of, revision, ids, version };
    return this.#kept;
  }
}

let versions = 0;
