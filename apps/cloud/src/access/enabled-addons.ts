import type { AddonId } from '@albedo/contract/access/addons';

/** Which addons the provider enabled for each workgroup, in memory: the workgroups keep it up to date, anybody may look. */
export class EnabledAddons {
  readonly #addons = new Map<string, ReadonlySet<string>>();

  has(workgroup: string, addon: AddonId): boolean {
    return this.#addons.get(workgroup)?.has(addon) ?? false;
  }

  set(workgroup: string, addons: Iterable<string> = []): void {
    this.#addons.set(workgroup, new Set(addons));
  }
}
