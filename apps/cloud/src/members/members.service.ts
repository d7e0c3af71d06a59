import type { Permission } from '@albedo/contract/access/permissions';
import type { MemberChange, MemberInfo } from '@albedo/contract/members/members.schema';
import { demandGroups, demandMayGrant, type Grant, refusalToGrant, withRead } from '../access/granting.ts';
import type { Manager } from '../access/manager.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { Bus } from '../bus/bus.ts';
import type { DeviceGroups } from '../device-groups/device-groups.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { Sessions } from '../sessions/sessions.service.ts';
import type { TellList } from '../sockets/lists.ts';
import type { MembersStore } from './members.store.ts';
import { memberMoved } from './members.topics.ts';

export interface MembersOptions {
  store: MembersStore;
  sessions: Sessions;
  deviceGroups: Pick<DeviceGroups, 'demand' | 'nameOf'>;
  audit: Audit;
  tell: TellList;
  bus: Bus;
}

/** Members of workgroups. What changes counts at once: the sessions and sockets of the member end. */
export class Members {
  readonly #options: MembersOptions;

  constructor(options: MembersOptions) {
    this.#options = options;
  }

  list(workgroup: string): Promise<MemberInfo[]> {
    return this.#options.store.list(workgroup);
  }

  /** Throws `member.not_found`, `member.last_owner`, `device_group.not_found`, and what `demandMayGrant` and `demandGroups` throw. */
  update(workgroup: string, userId: string, change: MemberChange, by: Manager): Promise<MemberInfo> {
    return this.#options.store.alone(workgroup, () => this.#update(workgroup, userId, change, by));
  }

  async #update(workgroup: string, userId: string, change: MemberChange, by: Manager): Promise<MemberInfo> {
    const { store, sessions, deviceGroups, bus } = this.#options;
    const before = await this.get(workgroup, userId);
    const set = {
      role: change.role ?? before.role,
      permissions: change.permissions ? withRead(change.permissions) : before.permissions,
      mfaRequired: change.mfaRequired ?? before.mfaRequired,
      devGroup: change.devGroup === undefined ? before.devGroup : change.devGroup,
    };
    demandMayGrant(by.scope, before, set);
    demandGroups(by.scope, before, set);
    if (set.devGroup !== before.devGroup) deviceGroups.demand(workgroup, set.devGroup);
    const textOf = (of: typeof set, key: keyof typeof set) =>
      key === 'devGroup' ? deviceGroups.nameOf(workgroup, of.devGroup) : String(of[key]);
    const changes = (['role', 'permissions', 'mfaRequired', 'devGroup'] as const)
      .filter((key) => String(before[key]) !== String(set[key]))
      .map((key) => [key, textOf(before, key), textOf(set, key)] as const);
    if (changes.length === 0) return before;

    const changed = Object.fromEntries(changes.map(([key]) => [key, set[key]]));
    if (!(await store.change(workgroup, userId, changed))) throw new AppError('member.last_owner');
    await sessions.revokeUser(userId);
    for (const [attribute, oldValue, newValue] of changes) {
      this.#record(workgroup, before.email, by, { action: 'update', attribute, oldValue, newValue });
    }
    const device = await store.deviceScopes(workgroup, userId);
    const scope = { ...set, ps: '', scopes: { device } };
    const isNewlyBound = set.devGroup !== null && set.devGroup !== before.devGroup;
    const mayStay = (granted: Grant) =>
      !isNewlyBound && mayInvite(set) && refusalToGrant(scope, null, granted) === null;
    await this.#dropInvites(workgroup, before.email, by, mayStay);
    await bus.publish(memberMoved, { workgroup, userId, isMember: true, by });
    this.#tellLists(workgroup, [before.devGroup, set.devGroup]);
    return { ...before, ...set };
  }

  /** Throws `member.not_found`, `member.last_owner`, `member.owners_only`. */
  remove(workgroup: string, userId: string, by: Manager): Promise<void> {
    return this.#options.store.alone(workgroup, () => this.#remove(workgroup, userId, by));
  }

  async #remove(workgroup: string, userId: string, by: Manager): Promise<void> {
    const { store, sessions, bus } = this.#options;
    const member = await this.get(workgroup, userId);
    demandMayGrant(by.scope, member, null);
    demandGroups(by.scope, member, null);
    if (!(await store.change(workgroup, userId, null))) throw new AppError('member.last_owner');
    await sessions.revokeUser(userId);
    this.#record(workgroup, member.email, by, { action: 'remove', oldValue: member.role });
    await this.#dropInvites(workgroup, member.email, by, () => false);
    await bus.publish(memberMoved, { workgroup, userId, isMember: false, by });
    this.#tellLists(workgroup, [member.devGroup]);
  }

  /** Parts of devices that the member may reach. */
  deviceScopes(workgroup: string, userId: string): Promise<string[]> {
    return this.#options.store.deviceScopes(workgroup, userId);
  }

  /** Groups count who is bound to them. */
  #tellLists(workgroup: string, groups: readonly (string | null)[]): void {
    const { tell } = this.#options;
    tell('members', workgroup);
    if (groups.some((id) => id !== null)) tell('device-groups', workgroup, groups);
  }

  /** Throws `member.not_found`. */
  async get(workgroup: string, userId: string): Promise<MemberInfo> {
    const member = await this.#options.store.find(workgroup, userId);
    if (!member) throw new AppError('member.not_found');
    return member;
  }

  /** Whoever could not send an invitation any more leaves it not behind, or he could come back by it. */
  async #dropInvites(
    workgroup: string,
    email: string,
    by: Manager,
    mayStay: (granted: Grant) => boolean,
  ): Promise<void> {
    const dropped = await this.#options.store.dropInvitesBy(workgroup, email, mayStay);
    if (dropped.length > 0) {
      this.#options.tell('invites', workgroup);
      this.#options.tell(
        'device-groups',
        workgroup,
        dropped.map(({ devGroup }) => devGroup),
      );
    }
    for (const { email: invited } of dropped) {
      const { email: user, address } = by;
      const at = Date.now();
      const entry = { workgroup, at, controller: 'invite', entity: invited, action: 'remove' };
      this.#options.audit.record({ ...entry, by: user, address });
    }
  }

  #record(
    workgroup: string,
    entity: string,
    { email, address }: Manager,
    what: { action: string; attribute?: string; oldValue?: string; newValue?: string },
  ): void {
    const at = Date.now();
    this.#options.audit.record({ workgroup, at, controller: 'member', entity, by: email, address, ...what });
  }
}

const mayInvite = ({ role, permissions }: { role: string; permissions: Permission[] }): boolean =>
  role === 'owner' || permissions.includes('manageAccess');
