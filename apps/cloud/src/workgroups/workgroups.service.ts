import type { AddonId } from '@albedo/contract/access/addons';
import type { Permission, Role } from '@albedo/contract/access/permissions';
import { type EntityLabel, LABELS_SETTING, labelsOf } from '@albedo/contract/entities/labels';
import { ADDONS } from '@albedo/contract/workgroups/addons.schema';
import type { WorkgroupSettingKey } from '@albedo/contract/workgroups/workgroup-settings.schema';
import type { Workgroup } from '@albedo/contract/workgroups/workgroups.schema';
import type { EnabledAddons } from '../access/enabled-addons.ts';
import type { Bus } from '../bus/bus.ts';
import { AppError } from '../errors/app-error.ts';
import type { WorkgroupsStore } from './workgroups.store.ts';
import { workgroupChanged } from './workgroups.topics.ts';

export interface MemberSettings {
  role: Role;
  permissions?: Permission[];
  devGroup?: string | null;
  deviceScopes?: string[];
}

/** What a workgroup is made of. */
export type NewWorkgroup = Pick<Workgroup, 'name' | 'displayName'> & {
  /** Its members must have a second factor. */
  mfaRequired?: boolean | undefined;
};

/** Workgroups and who belongs to them. */
export class Workgroups {
  readonly #store: WorkgroupsStore;
  readonly #suspended = new Set<string>();
  readonly #bus: Bus;
  readonly #addons: EnabledAddons;

  constructor(store: WorkgroupsStore, bus: Bus, addons: EnabledAddons) {
    this.#store = store;
    this.#bus = bus;
    this.#addons = addons;
  }

  async start(): Promise<void> {
    // A token that outlives its workgroup opens nothing.
    for (const name of await this.#store.closed()) this.#suspended.add(name);
    for (const [name, addons] of await this.#store.addons()) this.#addons.set(name, addons);
  }

  /** Whether the provider keeps everybody out. Decided in memory. */
  isSuspended(workgroup: string): boolean {
    return this.#suspended.has(workgroup);
  }

  /** Takes over what was decided, here or by another process. */
  applySuspension({ workgroup, isSuspended }: { workgroup: string; isSuspended: boolean }): void {
    if (isSuspended) this.#suspended.add(workgroup);
    else this.#suspended.delete(workgroup);
  }

  /** Whether the provider enabled the addon for the workgroup. Decided in memory. */
  hasAddon(workgroup: string, addon: AddonId): boolean {
    return this.#addons.has(workgroup, addon);
  }

  /** Takes over which addons the workgroup has now. */
  async readAddons(workgroup: string): Promise<void> {
    const addons = await this.#store.addons(workgroup);
    this.#addons.set(workgroup, addons.get(workgroup));
  }

  /** To be called after a change of the workgroup. */
  tellChanged(workgroup: string): void {
    void this.#bus.publish(workgroupChanged, { workgroup });
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

  /** Gives it addons and settings, as far as it has none of these yet. */
  async equip(
    workgroup: string,
    addons: Readonly<Partial<Record<AddonId, Record<string, unknown>>>>,
    settings: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const named = (Object.entries(addons) as [AddonId, Record<string, unknown>][]).map(([id, own]) => ({
      id,
      name: ADDONS[id].name,
      settings: own,
    }));
    await this.#store.insertParts(workgroup, named, settings);
    await this.readAddons(workgroup);
  }

  /** Adds those labels of entities that the workgroup lacks. */
  addLabels(workgroup: string, wanted: readonly EntityLabel[]): Promise<void> {
    return this.#store.aloneWithSettings(workgroup, async () => {
      const kept = labelsOf((await this.get(workgroup)).settings);
      const missing = wanted.filter(({ id }) => !kept.some((label) => label.id === id));
      if (missing.length === 0) return;
      await this.#store.setPart(workgroup, LABELS_SETTING, [...kept, ...missing]);
      this.tellChanged(workgroup);
    });
  }

  /** Sets a setting that follows from something else, whose change is recorded there. */
  setSetting(workgroup: string, key: WorkgroupSettingKey, value: unknown): Promise<void> {
    return this.#store.aloneWithSettings(workgroup, async () => {
      const { settings } = await this.get(workgroup);
      if (JSON.stringify(settings[key]) === JSON.stringify(value)) return;
      await this.#store.setPart(workgroup, key, value);
      this.tellChanged(workgroup);
    });
  }

  /** Makes the user a member, or changes what a member may do. */
  setMember(workgroup: string, userId: string, settings: MemberSettings): Promise<void> {
    return this.#store.setMember(workgroup, userId, settings);
  }
}
