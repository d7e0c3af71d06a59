import type { Permission, Role } from '@albedo/contract/access/permissions';
import type { Workgroup } from '@albedo/contract/workgroups/workgroups.schema';
import { AppError } from '../errors/app-error.ts';
import type { WorkgroupsStore } from './workgroups.store.ts';

export interface MemberSettings {
  role: Role;
  permissions?: Permission[];
  devGroup?: string | null;
  deviceScopes?: string[];
}

/** What one process tells the others, so that a workgroup is closed or opened at once on all of them. */
export interface Suspension {
  workgroup: string;
  isSuspended: boolean;
}

/** What a workgroup is made of. */
export type NewWorkgroup = Pick<Workgroup, 'name' | 'displayName'>;

/** Workgroups and who belongs to them. */
export class Workgroups {
  readonly #store: WorkgroupsStore;
  readonly #suspended = new Set<string>();
  readonly #watchers: ((workgroup: string) => void)[] = [];

  constructor(store: WorkgroupsStore) {
    this.#store = store;
  }

  async start(): Promise<void> {
    // A token that outlives its workgroup opens nothing.
    for (const name of await this.#store.closed()) this.#suspended.add(name);
  }

  /** Whether the provider keeps everybody out. Decided in memory. */
  isSuspended(workgroup: string): boolean {
    return this.#suspended.has(workgroup);
  }

  /** Takes over what was decided, here or by another process. */
  applySuspension({ workgroup, isSuspended }: Suspension): void {
    if (isSuspended) this.#suspended.add(workgroup);
    else this.#suspended.delete(workgroup);
  }

  /** Called with every workgroup that is different now. */
  onChanged(tell: (workgroup: string) => void): void {
    this.#watchers.push(tell);
  }

  tellChanged(workgroup: string): void {
    for (const tell of this.#watchers) tell(workgroup);
  }

  /** The workgroups a user is a member of, by display name. */
  ofUser(userId: string): Promise<Workgroup[]> {
    return this.#store.ofUser(userId);
  }

  /** Throws `request.not_found`. */
  async get(name: string): Promise<Workgroup> {
    const found = await this.#store.get(name);
    if (!found) throw new AppError('request.not_found');
    return found;
  }

  /** Throws `workgroup.not_found`. */
  async demand(name: string): Promise<void> {
    if (!(await this.#store.exists(name))) throw new AppError('workgroup.not_found', { name });
  }

  /** Makes the workgroup unless it exists. */
  ensure(workgroup: NewWorkgroup): Promise<void> {
    return this.#store.insert(workgroup);
  }

  /** Makes the user a member, or changes what a member may do. */
  setMember(workgroup: string, userId: string, settings: MemberSettings): Promise<void> {
    return this.#store.setMember(workgroup, userId, settings);
  }
}
