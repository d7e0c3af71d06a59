import type { AddonId } from '@albedo/contract/access/addons';
import {
  ADDONS,
  type AvailableAddon,
  machinePluginsSettings,
} from '@albedo/contract/workgroups/addons.schema';
import type { Actor } from '../access/actor.ts';
import type { Audit, AuditEntry } from '../audit/audit.service.ts';
import { AppError } from '../errors/app-error.ts';
import { issuesText, requestIssues } from '../errors/request-issues.ts';
import type { AddonsStore } from './addons.store.ts';
import type { Workgroups } from './workgroups.service.ts';

export interface AddonsOptions {
  store: AddonsStore;
  workgroups: Workgroups;
  audit: Audit;
}

type Settings = Record<string, unknown>;

/** What the provider enables for workgroups. The screens of everybody in the workgroup follow at once. */
export class Addons {
  readonly #options: AddonsOptions;

  constructor(options: AddonsOptions) {
    this.#options = options;
  }

  /** Throws `workgroup.not_found`. */
  async available(workgroup: string): Promise<AvailableAddon[]> {
    const { store, workgroups } = this.#options;
    await workgroups.demand(workgroup);
    const enabled = new Map((await store.list(workgroup)).map((row) => [row.id, row.settings]));
    return (Object.keys(ADDONS) as AddonId[]).map((id) => ({
      id,
      ...ADDONS[id],
      isEnabled: enabled.has(id),
      settings: enabled.get(id) ?? {},
    }));
  }

  /** Throws `workgroup.not_found`, `addon.enabled_already`, `request.invalid`. */
  async add(workgroup: string, id: AddonId, wanted: Settings, by: Actor): Promise<AvailableAddon[]> {
    const { store, workgroups } = this.#options;
    await workgroups.demand(workgroup);
    const { name } = ADDONS[id];
    const settings = settingsOf(id, wanted);
    if (!(await store.add({ workgroup, id, name, settings })))
      throw new AppError('addon.enabled_already', { name });
    return this.#changed(workgroup, id, by, { action: 'create', newValue: JSON.stringify(settings) });
  }

  /** Throws `workgroup.not_found`, `addon.not_enabled`, `request.invalid`. */
  async update(workgroup: string, id: AddonId, wanted: Settings, by: Actor): Promise<AvailableAddon[]> {
    const before = await this.#enabled(workgroup, id);
    const settings = settingsOf(id, wanted);
    await this.#options.store.update(workgroup, id, settings);
    const [oldValue, newValue] = [JSON.stringify(before), JSON.stringify(settings)];
    return this.#changed(workgroup, id, by, { action: 'update', attribute: 'settings', oldValue, newValue });
  }

  /** Throws `workgroup.not_found`, `addon.not_enabled`. */
  async remove(workgroup: string, id: AddonId, by: Actor): Promise<AvailableAddon[]> {
    const before = await this.#enabled(workgroup, id);
    await this.#options.store.remove(workgroup, id);
    return this.#changed(workgroup, id, by, { action: 'remove', oldValue: JSON.stringify(before) });
  }

  async #enabled(workgroup: string, id: AddonId): Promise<Settings> {
    const addon = (await this.available(workgroup)).find((one) => one.id === id && one.isEnabled);
    if (!addon) throw new AppError('addon.not_enabled', { name: ADDONS[id].name });
    return addon.settings;
  }

  async #changed(
    workgroup: string,
    id: AddonId,
    { email: by, address }: Actor,
    what: Pick<AuditEntry, 'action' | 'attribute' | 'oldValue' | 'newValue'>,
  ): Promise<AvailableAddon[]> {
    const { workgroups, audit } = this.#options;
    audit.record({ workgroup, at: Date.now(), controller: 'addon', entity: id, by, address, ...what });
    // It counts before the staff read that it does.
    await workgroups.readAddons(workgroup);
    workgroups.tellChanged(workgroup);
    return this.available(workgroup);
  }
}

/** What may stand in the settings of the addon; all but one have none. */
function settingsOf(id: AddonId, wanted: Settings): Settings {
  if (id !== 'machine-plugins') return {};
  const parsed = machinePluginsSettings.safeParse(wanted);
  if (parsed.success) return parsed.data;
  const issues = requestIssues(parsed.error.issues);
  throw new AppError('request.invalid', { what: issuesText(issues) }, issues);
}
