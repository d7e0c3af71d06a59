import { scopeIn } from '@albedo/contract/access/permissions';
import type {
  Composition,
  DeviceGroup,
  MetaField,
  NewDeviceGroup,
} from '@albedo/contract/device-groups/device-groups.schema';
import type { SessionClaims } from '@albedo/contract/sessions/sessions.schema';
import { WORKGROUP_LIMITS } from '@albedo/contract/workgroups/limits';
import type { Actor } from '../access/actor.ts';
import { ALL_DEVICES, type DeviceScope, NO_DEVICES } from '../access/device-scope.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { Bus } from '../bus/bus.ts';
import { AppError } from '../errors/app-error.ts';
import type { DeviceRegistry, RegisteredDevice } from '../registry/registry.ts';
import type { TellList } from '../sockets/lists.ts';
import type { Bound, DeviceGroupRow, DeviceGroupsStore } from './device-groups.store.ts';
import {
  deviceGroupChanged,
  devicesMoved,
  type GroupChange,
  type Moves,
  scopesChanged,
} from './device-groups.topics.ts';
import { GroupScope, type KnownGroup, ruleOf } from './group-scope.ts';

/** Characters of a composition that the audit log keeps. */
const COMPOSITION_KEPT = 2000;
/** Values of one field that are offered. */
const VALUES_OFFERED = 200;

/** Names of the devices that a group would gain and lose. */
interface PlannedMoves {
  group: string;
  gains: string[];
  loses: string[];
}

/**
 * Device groups, and the one place that decides which devices a session may see.
 *
 * All groups are in memory, so that a decision takes no time; the registry of devices, which they are asked about, is in
 * memory too. A change counts from the moment it is durable, and other processes hear of it over the bus.
 */
export class DeviceGroups {
  readonly #store: DeviceGroupsStore;
  readonly #registry: DeviceRegistry;
  readonly #audit: Audit;
  readonly #groups = new Map<string, Map<string, KnownGroup>>();
  readonly #scopes = new Map<string, GroupScope>();
  readonly #bus: Bus;
  #revisions = 0;
  readonly #tellList: TellList;

  constructor(options: {
    store: DeviceGroupsStore;
    registry: DeviceRegistry;
    audit: Audit;
    tell: TellList;
    bus: Bus;
  }) {
    this.#bus = options.bus;
    this.#tellList = options.tell;
    this.#store = options.store;
    this.#registry = options.registry;
    this.#audit = options.audit;
  }

  async start(): Promise<void> {
    for (const row of await this.#store.all()) this.#know(row);
  }

  /** Takes over what another process changed. */
  apply(change: GroupChange): void {
    if (change.kind === 'set') this.#know(change.row);
    else if (change.kind === 'removed') this.#groups.get(change.workgroup)?.delete(change.id);
    else this.#forget(change.workgroup);
    this.#tellChanged();
  }

  /** What a session may see in a workgroup; nothing where it is no member. */
  scopeOf(session: Pick<SessionClaims, 'scopes'>, workgroup: string): DeviceScope {
    const scope = scopeIn(session, workgroup);
    if (!scope) return NO_DEVICES;
    return scope.devGroup === null ? ALL_DEVICES : this.scopeOfGroup(workgroup, scope.devGroup);
  }

  /** What members of a group may see; nothing where there is no such group. */
  scopeOfGroup(workgroup: string, groupId: string): GroupScope {
    const key = `${workgroup} ${groupId}`;
    const kept = this.#scopes.get(key);
    if (kept) return kept;
    const group = () => this.#groups.get(workgroup)?.get(groupId);
    const scope = new GroupScope({ workgroup, groupId, registry: this.#registry, group });
    this.#scopes.set(key, scope);
    return scope;
  }

  /** The scopes of all groups of a workgroup. */
  scopesIn(workgroup: string): GroupScope[] {
    return [...(this.#groups.get(workgroup)?.keys() ?? [])].map((id) => this.scopeOfGroup(workgroup, id));
  }

  /** Throws `device_group.not_found` unless the workgroup has the group; null is no group and good. */
  demand(workgroup: string, groupId: string | null): void {
    if (groupId !== null && !this.#groups.get(workgroup)?.has(groupId)) {
      throw new AppError('device_group.not_found');
    }
  }

  /** Name of a group for the audit log. */
  nameOf(workgroup: string, groupId: string | null): string {
    return groupId === null ? '' : (this.#groups.get(workgroup)?.get(groupId)?.name ?? groupId);
  }

  /** The groups by name. Members of a group see only theirs, without the devices that do not exist for them. */
  async list(workgroup: string, scope: DeviceScope): Promise<DeviceGroup[]> {
    const bound = await this.#store.bound(workgroup);
    return [...(this.#groups.get(workgroup)?.values() ?? [])]
      .filter(({ id }) => scope.isAll || (scope instanceof GroupScope && scope.groupId === id))
      .map((group) => this.#told(group, bound.get(group.id), scope))
      .sort((a, b) => a.name.localeCompare(b.name));
  }

  /** Throws `device_group.too_many`, `device_group.name_taken` and `device_group.foreign_device`. */
  async create(workgroup: string, wanted: NewDeviceGroup, by: Actor): Promise<DeviceGroup> {
    const { deviceGroups: count } = WORKGROUP_LIMITS;
    if ((await this.#store.count(workgroup)) >= count) throw new AppError('device_group.too_many', { count });
    this.#demandOwn(workgroup, wanted.composition, null);
    const row = await this.#store.add(workgroup, wanted);
    if (!row) throw new AppError('device_group.name_taken', { name: wanted.name });
    const group = this.#set(row);
    this.#tellList('device-groups', workgroup);
    this.#record(workgroup, row.name, by, { action: 'create', newValue: textOf(row.composition) });
    return this.#told(group, undefined, ALL_DEVICES);
  }

  /** Throws `device_group.not_found`, `device_group.name_taken` and `device_group.foreign_device`. */
  async change(workgroup: string, id: string, wanted: NewDeviceGroup, by: Actor): Promise<DeviceGroup> {
    const before = await this.#store.find(workgroup, id);
    if (!before) throw new AppError('device_group.not_found');
    this.#demandOwn(workgroup, wanted.composition, before.composition);
    const row = await this.#store.change(workgroup, id, wanted);
    if (row === null) throw new AppError('device_group.name_taken', { name: wanted.name });
    if (row === undefined) throw new AppError('device_group.not_found');

    const scope = this.scopeOfGroup(workgroup, id);
    const were = scope.ids();
    const group = this.#set(row);
    const are = scope.ids();
    const [wasIn, isIn] = [new Set(were), new Set(are)];
    const entered = are.filter((device) => !wasIn.has(device));
    const left = were.filter((device) => !isIn.has(device));
    if (entered.length + left.length > 0) this.#tellMoves({ workgroup, groupId: id, entered, left });
    this.#tellList('device-groups', workgroup, [id]);
    this.#tellChanged();

    const [oldText, newText] = [textOf(before.composition), textOf(row.composition)];
    if (before.name !== row.name) {
      const renamed = { attribute: 'name', oldValue: before.name, newValue: row.name };
      this.#record(workgroup, row.name, by, { action: 'update', ...renamed });
    }
    if (oldText !== newText) {
      const composed = { attribute: 'composition', oldValue: oldText, newValue: newText };
      this.#record(workgroup, row.name, by, { action: 'update', ...composed });
    }
    return this.#told(group, (await this.#store.bound(workgroup)).get(id), ALL_DEVICES);
  }

  /** Throws `device_group.not_found`, and `device_group.in_use` while somebody is bound to it. */
  async remove(workgroup: string, id: string, by: Actor): Promise<void> {
    const known = this.#groups.get(workgroup)?.get(id);
    const bound = await this.#store.remove(workgroup, id);
    if (!bound) throw new AppError('device_group.not_found');
    if (bound.members + bound.invites + bound.tokens > 0) {
      throw new AppError('device_group.in_use', { ...bound });
    }
    this.#groups.get(workgroup)?.delete(id);
    this.#tellChanged();
    this.#tellList('device-groups', workgroup);
    void this.#bus.publish(deviceGroupChanged, { kind: 'removed', workgroup, id });
    const oldValue = known && textOf(known.composition);
    this.#record(workgroup, known?.name ?? id, by, { action: 'remove', ...(oldValue ? { oldValue } : {}) });
  }

  /** To be called when the workgroup was deleted. */
  forget(workgroup: string): void {
    this.#forget(workgroup);
    this.#tellChanged();
    void this.#bus.publish(deviceGroupChanged, { kind: 'forgotten', workgroup });
  }

  #forget(workgroup: string): void {
    this.#groups.delete(workgroup);
    for (const key of this.#scopes.keys()) if (key.startsWith(`${workgroup} `)) this.#scopes.delete(key);
  }

  /** Ids of the devices that a group composed so would have, by name. */
  preview(workgroup: string, composition: Composition, scope: DeviceScope): string[] {
    const rule = ruleOf(composition);
    const devices = this.#registry.inWorkgroup(workgroup).filter((device) => rule.matches(device));
    return devices.map(({ id }) => id).filter((id) => scope.has(id));
  }

  /** Fields of the general information by which devices can be chosen, with the values that devices have. */
  fields(workgroup: string, scope: DeviceScope): MetaField[] {
    const fields = new Map<string, Set<string>>();
    for (const { id, info } of this.#registry.inWorkgroup(workgroup)) {
      if (!scope.has(id)) continue;
      for (const [field, value] of Object.entries(info)) {
        const values = fields.get(field) ?? new Set();
        fields.set(field, values.size < VALUES_OFFERED ? values.add(value) : values);
      }
    }
    return [...fields]
      .map(([field, values]) => ({ field, values: [...values].sort() }))
      .sort((a, b) => a.field.localeCompare(b.field));
  }

  /** Fields of the general information that decide who belongs to a group of the workgroup. */
  decidingFields(workgroup: string): Set<string> {
    const groups = [...(this.#groups.get(workgroup)?.values() ?? [])];
    return new Set(
      groups.flatMap(({ composition }) => (composition.type === 'META' ? [composition.field] : [])),
    );
  }

  /** To be called after another process changed a device. */
  deviceChanged(): void {
    this.#tellChanged();
  }

  /** Makes a change of one device, and tells in which groups it is now and was not, and the other way round. */
  duringChange<T>({ id, workgroup }: Pick<RegisteredDevice, 'id' | 'workgroup'>, change: () => T): T {
    const scopes = this.scopesIn(workgroup);
    const before = scopes.map((scope) => scope.has(id));
    const result = change();
    scopes.forEach((scope, i) => {
      const isIn = scope.has(id);
      if (isIn === before[i]) return;
      const { groupId } = scope;
      this.#tellMoves({ workgroup, groupId, entered: isIn ? [id] : [], left: isIn ? [] : [id] });
      this.#tellList('device-groups', workgroup, [groupId]);
    });
    this.#tellChanged();
    return result;
  }

  /** As `duringChange`, for many devices of a workgroup at once. */
  duringChanges(workgroup: string, change: () => void): void {
    const scopes = this.scopesIn(workgroup);
    const before = scopes.map((scope) => new Set(scope.ids()));
    change();
    scopes.forEach((scope, i) => {
      const were = before[i] ?? new Set();
      const are = new Set(scope.ids());
      const entered = [...are].filter((id) => !were.has(id));
      const left = [...were].filter((id) => !are.has(id));
      if (entered.length + left.length === 0) return;
      const { groupId } = scope;
      this.#tellMoves({ workgroup, groupId, entered, left });
      this.#tellList('device-groups', workgroup, [groupId]);
    });
    this.#tellChanged();
  }

  /** What groups would gain and lose if these devices were as told; groups that stay as they are are left out. */
  movesIf(workgroup: string, devices: readonly RegisteredDevice[]): PlannedMoves[] {
    return [...(this.#groups.get(workgroup)?.values() ?? [])].flatMap(({ name, rule }) => {
      const gains: string[] = [];
      const loses: string[] = [];
      for (const device of devices) {
        const known = this.#registry.known(device.id);
        const [was, is] = [known !== null && rule.matches(known), rule.matches(device)];
        if (was !== is) (is ? gains : loses).push(device.name);
      }
      return gains.length + loses.length > 0 ? [{ group: name, gains, loses }] : [];
    });
  }

  /** Devices of other workgroups are none; one that was deleted since may stay where it stood. */
  #demandOwn(workgroup: string, composition: Composition, before: Composition | null): void {
    const old = new Set(before ? devicesOf(before) : []);
    const foreign = devicesOf(composition).find(
      (id) => !old.has(id) && this.#registry.known(id)?.workgroup !== workgroup,
    );
    if (foreign !== undefined) throw new AppError('device_group.foreign_device', { id: foreign });
  }

  #tellMoves(moves: Moves): void {
    void this.#bus.publish(devicesMoved, moves);
  }

  #tellChanged(): void {
    void this.#bus.publish(scopesChanged, null);
  }

  #set(row: DeviceGroupRow): KnownGroup {
    const group = this.#know(row);
    void this.#bus.publish(deviceGroupChanged, { kind: 'set', row });
    return group;
  }

  #know({ id, workgroup, name, composition }: DeviceGroupRow): KnownGroup {
    const revision = ++this.#revisions;
    const group = { id, workgroup, name, composition, rule: ruleOf(composition), revision };
    const groups = this.#groups.get(workgroup) ?? new Map<string, KnownGroup>();
    this.#groups.set(workgroup, groups.set(id, group));
    return group;
  }

  #told(group: KnownGroup, bound: Bound | undefined, scope: DeviceScope): DeviceGroup {
    const { id: _id, workgroup, name } = group;
    const composition = scope.isAll ? group.composition : narrowed(group.composition, scope);
    const devices = this.scopeOfGroup(workgroup, _id).ids().length;
    return { _id, name, composition, devices, members: 0, invites: 0, tokens: 0, ...bound };
  }

  #record(
    workgroup: string,
    entity: string,
    { email, address }: Actor,
    what: { action: string; attribute?: string; oldValue?: string; newValue?: string },
  ): void {
    const at = Date.now();
    this.#audit.record({ workgroup, at, controller: 'device_group', entity, by: email, address, ...what });
  }
}

function devicesOf(composition: Composition): string[] {
  if (composition.type === 'META') return [];
  if (composition.type === 'SRC') return composition.devices.map(({ device }) => device);
  return composition.devices;
}

/** Without the devices that do not exist for members of the group. */
function narrowed(composition: Composition, scope: DeviceScope): Composition {
  if (composition.type === 'META') return composition;
  if (composition.type === 'SRC') {
    return { ...composition, devices: composition.devices.filter(({ device }) => scope.has(device)) };
  }
  return { ...composition, devices: composition.devices.filter((id) => scope.has(id)) };
}

function textOf(composition: Composition): string {
  const text = JSON.stringify(composition);
  if (text.length <= COMPOSITION_KEPT) return text;
  return `${text.slice(0, COMPOSITION_KEPT)}… (${devicesOf(composition).length} devices)`;
}
