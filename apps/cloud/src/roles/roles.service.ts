import type { NewUserRole, UserRole } from '@albedo/contract/roles/roles.schema';
import { WORKGROUP_LIMITS } from '@albedo/contract/workgroups/limits';
import type { Manager } from '../access/manager.ts';
import type { AccessControl } from '../access-control/access-control.service.ts';
import type { Audit, AuditEntry } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { RolesStore } from './roles.store.ts';

export interface RolesOptions {
  store: RolesStore;
  accessControl: AccessControl;
  audit: Audit;
}

/** Named sets of users, which access-control rules may name. */
export class Roles {
  readonly #options: RolesOptions;

  constructor(options: RolesOptions) {
    this.#options = options;
  }

  list(workgroup: string): Promise<UserRole[]> {
    return this.#options.store.list(workgroup);
  }

  /** Throws `role.too_many`, `role.name_taken`, `member.not_found` for somebody who is no member of the workgroup. */
  async create(workgroup: string, wanted: NewUserRole, by: Manager): Promise<UserRole> {
    const { store, accessControl } = this.#options;
    const { roles: count } = WORKGROUP_LIMITS;
    if ((await store.count(workgroup)) >= count) throw new AppError('role.too_many', { count });
    await this.#demandMembers(workgroup, wanted.members);
    const id = await store.add(workgroup, wanted);
    if (id === null) throw new AppError('role.name_taken', { name: wanted.name });
    accessControl.changed(workgroup);
    const role = await this.#role(workgroup, id);
    this.#record(workgroup, role, by, { action: 'create', newValue: textOf(role) });
    return role;
  }

  /** Throws `role.not_found`, `role.name_taken`, `member.not_found`. */
  update(workgroup: string, id: string, wanted: NewUserRole, by: Manager): Promise<UserRole> {
    return this.#options.store.alone(workgroup, id, () => this.#update(workgroup, id, wanted, by));
  }

  async #update(workgroup: string, id: string, wanted: NewUserRole, by: Manager): Promise<UserRole> {
    const { store, accessControl } = this.#options;
    const before = await this.#role(workgroup, id);
    await this.#demandMembers(workgroup, wanted.members);
    if (!(await store.set(workgroup, id, wanted))) {
      throw new AppError('role.name_taken', { name: wanted.name });
    }
    accessControl.changed(workgroup);
    const after = await this.#role(workgroup, id);
    const change = { oldValue: textOf(before), newValue: textOf(after) };
    if (change.oldValue !== change.newValue)
      this.#record(workgroup, after, by, { action: 'update', ...change });
    return after;
  }

  /** Deletes the role and the rules that name it. Throws `role.not_found`. */
  async remove(workgroup: string, id: string, by: Manager): Promise<void> {
    const { store, accessControl } = this.#options;
    const role = await this.#role(workgroup, id);
    await store.remove(workgroup, id);
    await accessControl.forget(workgroup, { principalType: 'Role', principalId: id }, by);
    this.#record(workgroup, role, by, { action: 'delete', oldValue: textOf(role) });
  }

  async #role(workgroup: string, id: string): Promise<UserRole> {
    const role = await this.#options.store.find(workgroup, id);
    if (!role) throw new AppError('role.not_found');
    return role;
  }

  async #demandMembers(workgroup: string, users: string[]): Promise<void> {
    if (users.length === 0) return;
    const known = await this.#options.store.membersAmong(workgroup, users);
    if (known.length < users.length) throw new AppError('member.not_found');
  }

  #record(
    workgroup: string,
    { _id, name }: UserRole,
    { email, address }: Manager,
    what: Pick<AuditEntry, 'action' | 'oldValue' | 'newValue'>,
  ): void {
    const entry = { workgroup, at: Date.now(), controller: 'role', entity: `${name} (${_id})` };
    this.#options.audit.record({ ...entry, attribute: 'record', by: email, address, ...what });
  }
}

const textOf = ({ name, description, members }: UserRole): string =>
  JSON.stringify({ name, description, members });
