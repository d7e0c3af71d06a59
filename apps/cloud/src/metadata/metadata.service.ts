import {
  type FieldRename,
  INFO_KEYS,
  type InfoLevel,
  infoKeys,
  infoOf,
  type MetadataFault,
  type MetadataFile,
  type MetadataPlan,
  type MetadataRow,
} from '@albedo/contract/metadata/metadata.schema';
import type { Postgres } from '@albedo/postgres/postgres';
import { oneByOne } from '@albedo/postgres/together';
import type { Actor } from '../access/actor.ts';
import { type DeviceScope, seesSource } from '../access/device-scope.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { DeviceGroups } from '../device-groups/device-groups.service.ts';
import type { Devices, InfoRow } from '../devices/devices.service.ts';
import { AppError } from '../errors/app-error.ts';
import { issuesText } from '../errors/request-issues.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { type FilePlan, planFile, planRename } from './metadata.plan.ts';

/** Faults and changes that a preview tells one by one, and names of devices that a group gains or loses. */
const TOLD = { faults: 100, changes: 200, names: 50, refused: 50 } as const;

export interface MetadataOptions {
  postgres: Postgres;
  registry: DeviceRegistry;
  devices: Devices;
  deviceGroups: DeviceGroups;
  workgroups: Pick<Workgroups, 'get' | 'setSetting'>;
  audit: Pick<Audit, 'record'>;
}

/** What people say of many devices and sources at once. */
export class Metadata {
  readonly #options: MetadataOptions;

  constructor(options: MetadataOptions) {
    this.#options = options;
  }

  /** What is said of the devices that the caller sees, or of their sources, by name. */
  rows(workgroup: string, level: InfoLevel, scope: DeviceScope): MetadataRow[] {
    return this.#options.registry.visible(workgroup, scope).flatMap(({ id, name, info, sourceInfo }) =>
      level === 'device'
        ? [{ id, name, source: '', info }]
        : Object.entries(sourceInfo)
            .filter(([source]) => seesSource(scope, id, source))
            .map(([source, said]) => ({ id, name, source, info: said })),
    );
  }

  async preview(workgroup: string, file: MetadataFile): Promise<MetadataPlan> {
    return this.#told(workgroup, file, await this.#plan(workgroup, file, { isHeld: false }));
  }

  /** All rows or none. Throws `request.invalid` with what is wrong by row, and `device.settings_full`. */
  import(workgroup: string, file: MetadataFile, by: Actor): Promise<MetadataPlan> {
    return oneByOne(this.#options.postgres, `metadata ${workgroup}`, async () => {
      const plan = await this.#plan(workgroup, file, { isHeld: true });
      const told = this.#told(workgroup, file, plan);
      if (plan.faults.length > 0) throw refusal(plan.faults);
      await this.#options.devices.changeInfos(workgroup, plan.devices, plan.known, by);
      return told;
    });
  }

  /**
   * Calls a field otherwise, among those that are chosen and wherever something is said in it. Answers of how many devices
   * something was said. Throws `metadata.field_unknown`, `metadata.field_taken`, `metadata.field_decides`.
   */
  rename(workgroup: string, { level, name, to }: FieldRename, by: Actor): Promise<number> {
    const { postgres, devices, deviceGroups, workgroups, audit } = this.#options;
    return oneByOne(postgres, `metadata ${workgroup}`, async () => {
      const known = await devices.infos(workgroup, { isHeld: true });
      const keys = infoKeys((await workgroups.get(workgroup)).settings, level);
      const changes = planRename({ level, name, to }, known);
      if (!keys.includes(name) && changes.length === 0)
        throw new AppError('metadata.field_unknown', { name });
      if (to === name) return 0;
      if (keys.includes(to) || planRename({ level, name: to, to: name }, known).length > 0)
        throw new AppError('metadata.field_taken', { name: to });
      const deciding = level === 'device' ? deviceGroups.decidingFields(workgroup) : new Set();
      for (const field of [name, to])
        if (deciding.has(field)) throw new AppError('metadata.field_decides', { name: field });
      if (keys.includes(name))
        await workgroups.setSetting(
          workgroup,
          INFO_KEYS[level],
          keys.map((key) => (key === name ? to : key)),
        );
      await devices.changeInfos(workgroup, changes, known, by);
      audit.record({
        workgroup,
        at: Date.now(),
        controller: 'workgroup',
        entity: workgroup,
        action: 'update',
        attribute: `field of ${level} metadata`,
        oldValue: name,
        newValue: to,
        by: by.email,
        address: by.address,
      });
      return changes.length;
    });
  }

  async #plan(
    workgroup: string,
    file: MetadataFile,
    { isHeld }: { isHeld: boolean },
  ): Promise<FilePlan & { known: readonly InfoRow[] }> {
    const { devices, workgroups } = this.#options;
    const known = await devices.infos(workgroup, { isHeld });
    const { settings } = await workgroups.get(workgroup);
    return { ...planFile(file, { defined: infoKeys(settings, file.level), known }), known };
  }

  #told(workgroup: string, { level, rows }: MetadataFile, plan: FilePlan): MetadataPlan {
    const { faults, changes, changed } = plan;
    const { registry, deviceGroups } = this.#options;
    const after = plan.devices.flatMap(({ id, info }) => {
      const device = registry.known(id);
      return device && info ? [{ ...device, info: infoOf(info) }] : [];
    });
    const some = (names: string[]) => ({ count: names.length, names: names.slice(0, TOLD.names) });
    const moves = level === 'device' && faults.length === 0 ? deviceGroups.movesIf(workgroup, after) : [];
    return {
      rows: rows.length,
      changed,
      values: changes.length,
      faults: faults.slice(0, TOLD.faults),
      faultCount: faults.length,
      changes: changes.slice(0, TOLD.changes),
      moves: moves.map(({ group, gains, loses }) => ({ group, gains: some(gains), loses: some(loses) })),
    };
  }
}

function refusal(faults: readonly MetadataFault[]): AppError {
  const issues = faults.slice(0, TOLD.refused).map(({ row, message, issue, facts }) => ({
    path: row === null ? '' : `rows.${row}`,
    message,
    issue,
    facts,
  }));
  return new AppError('request.invalid', { what: issuesText(issues) }, issues);
}
