import {
  COMMISSIONINGS_LIMIT,
  type commissioningChange,
  type PlantMachine,
  type PlantPreview,
  type Commissioning as Setup,
} from '@albedo/contract/commissioning/commissioning.schema';
import type { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import type { Manager } from '../access/manager.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { Boards } from '../boards/boards.service.ts';
import type { DeviceAsks } from '../device-asks/device-asks.service.ts';
import type { Entities, EntityEditor } from '../entities/entities.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { FieldRoles } from '../field-roles/field-roles.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import type { CommissioningStore, Person } from './commissioning.store.ts';
import { linesOf, sourceMapOf } from './lines.ts';
import { plantBoards } from './plant-boards.ts';
import { type PlantLanguage, plantLabels, plantTree } from './plant-tree.ts';
import { withoutReadings, withReadings } from './reading-config.ts';
import { leftOf, servicesOf } from './reading-services.ts';

export interface CommissioningOptions {
  store: CommissioningStore;
  deviceAsks: DeviceAsks;
  registry: DeviceRegistry;
  fieldRoles: FieldRoles;
  entities: Entities;
  boards: Boards;
  workgroups: Workgroups;
  audit: Audit;
}

/** Who sets up a plant. */
export interface Installer extends Caller {
  by: Manager;
}

/** The way of a plant from a machine without an agent to the screen. Every step can be done again and changes nothing twice. */
export class Commissioning {
  readonly #options: CommissioningOptions;

  constructor(options: CommissioningOptions) {
    this.#options = options;
  }

  /** Those whose device exists for the caller, the newest first. */
  async list(caller: Installer): Promise<Setup[]> {
    const all = await this.#options.store.list(personOf(caller));
    return all.filter(({ device }) => this.#sees(caller, device));
  }

  /** Throws `device.not_found`, `commissioning.too_many`. */
  async begin(caller: Installer, device: string): Promise<Setup> {
    const { store } = this.#options;
    if (!this.#sees(caller, device)) throw new AppError('device.not_found', { id: device });
    const person = personOf(caller);
    const all = await store.list(person);
    const known = all.find((one) => one.device === device);
    const open = all.filter(({ step }) => step !== 'done');
    if (!known && open.length >= COMMISSIONINGS_LIMIT)
      throw new AppError('commissioning.too_many', { count: COMMISSIONINGS_LIMIT });
    const begun = await store.begin(person, device);
    if (!begun) throw new AppError('device.not_found', { id: device });
    return begun;
  }

  /** Throws `commissioning.not_found`. */
  async get(caller: Installer, id: string): Promise<Setup> {
    const found = await this.#options.store.get(personOf(caller), id);
    if (!found || !this.#sees(caller, found.device)) throw new AppError('commissioning.not_found');
    return found;
  }

  /** Throws `commissioning.not_found`. */
  async save(caller: Installer, id: string, change: z.output<typeof commissioningChange>): Promise<Setup> {
    await this.get(caller, id);
    return this.#set(caller, id, change);
  }

  /** Throws `commissioning.not_found`. */
  async discard(caller: Installer, id: string): Promise<void> {
    await this.get(caller, id);
    await this.#options.store.remove(personOf(caller), id);
  }

  /** What the chosen machines give now. Throws `commissioning.no_machines`, and what asking a device throws. */
  async preview(caller: Installer, id: string, signal: AbortSignal): Promise<PlantPreview> {
    const { device, plan } = await this.get(caller, id);
    const lines = linesOf(demandMachines(plan.machines));
    const { registerMap } = plan;
    const read: PlantPreview = { machines: [], problems: [], tookMs: 0 };
    // One after the other: two readers on one serial gateway would disturb each other.
    for (const line of lines) {
      const { machines, problems, tookMs } = await this.#options.deviceAsks.ask(
        device,
        'machines.read',
        { ...line, registerMap },
        { signal },
      );
      const readings = new Map(machines.map((reading) => [reading.unit, reading]));
      for (const { host, port, unit, name, reader } of plan.machines)
        if (host === line.host && port === line.port && reader === line.reader)
          read.machines.push({ host, port, unit, name, reading: readings.get(unit) ?? null });
      read.problems.push(...problems);
      read.tookMs += tookMs;
    }
    return { ...read, problems: read.problems.slice(0, 100) };
  }

  /**
   * The device reads the machines from now on, by services of its plugins; a cloud device has none, and does so by its
   * configuration. Throws `commissioning.no_machines`, `device.invalid` where it refuses, and what asking a device throws.
   */
  async read(caller: Installer, id: string, signal: AbortSignal): Promise<Setup> {
    const setup = await this.get(caller, id);
    demandMachines(setup.plan.machines);
    if (this.#options.registry.known(setup.device)?.ced) await this.#readByConfig(caller, setup, signal);
    else await this.#readByServices(caller, setup, signal);
    return this.#set(caller, id, { step: 'confirm' });
  }

  async #readByServices(caller: Installer, setup: Setup, signal: AbortSignal): Promise<void> {
    const { device } = setup;
    const { deviceAsks } = this.#options;
    const { root, services } = await deviceAsks.ask(device, 'plugins.read', {}, { signal });
    const wanted = servicesOf(setup, root);
    const before = await deviceAsks.ask(device, 'config.read', {}, { signal });
    const text = withoutReadings(before.text, setup.id, root);
    if (text !== null) await deviceAsks.ask(device, 'config.apply', { text, over: before.hash }, { signal });
    for (const { plugin, name } of leftOf(setup, services, wanted)) {
      await deviceAsks.ask(device, 'services.remove', { plugin, name }, { signal });
      this.#record(caller, device, {
        entity: 'service',
        action: 'remove',
        attribute: plugin,
        newValue: name,
      });
    }
    for (const service of wanted) {
      const { plugin, name } = service;
      const what = { entity: 'service', action: 'read', attribute: plugin, newValue: name };
      try {
        await deviceAsks.ask(device, 'services.put', service, { signal });
      } catch (error) {
        this.#record(caller, device, { ...what, status: 'failed' });
        throw error;
      }
      this.#record(caller, device, what);
    }
  }

  async #readByConfig(caller: Installer, { id, device, plan }: Setup, signal: AbortSignal): Promise<void> {
    const { deviceAsks } = this.#options;
    const files = { id, sourceMap: sourceMapOf(plan.machines), registerMap: plan.registerMap };
    const kept = await deviceAsks.ask(device, 'machines.keep', files, { signal });
    const before = await deviceAsks.ask(device, 'config.read', {}, { signal });
    const text = withReadings(before.text, plan, kept);
    if (text === null) throw new AppError('device.invalid', { why: 'The configuration is no YAML map.' });
    const input = { text, over: before.hash };
    const { isApplied, problems, config } = await deviceAsks.ask(device, 'config.apply', input, { signal });
    this.#record(caller, device, {
      ...{ entity: 'config', action: 'read', attribute: 'sha256', newValue: config.hash },
      ...(isApplied ? {} : { status: 'failed' as const }),
    });
    if (!isApplied)
      throw new AppError('device.invalid', { why: problems.map(({ message }) => message).join(' ') });
  }

  /**
   * The site and its machines in the tree, with labels, and boards where there are none. Throws `commissioning.no_values`
   * before the first values are there.
   */
  async build(caller: Installer, id: string, editor: EntityEditor, language: PlantLanguage): Promise<Setup> {
    const setup = await this.get(caller, id);
    const { device, plan } = setup;
    const { fieldRoles, entities, workgroups, registry } = this.#options;
    const { workgroup } = caller;
    const known = await fieldRoles.list(caller, device);
    const kinds = new Map(known.map(({ source, kind }) => [source, kind]));
    const sources = demandMachines(plan.machines).flatMap(({ name: source }) => {
      const kind = kinds.get(source);
      return kind ? [{ source, kind }] : [];
    });
    if (sources.length === 0) throw new AppError('commissioning.no_values');
    await workgroups.addLabels(workgroup, plantLabels(language));
    // Kept first: an attempt that breaks off after it finds its own site again.
    const entity = setup.entity ?? crypto.randomUUID();
    if (setup.entity === null) await this.#set(caller, id, { entity });
    const isThere = (await entities.all(workgroup)).some(({ _id }) => _id === entity);
    const name = plan.plantName || (registry.known(device)?.name ?? '');
    if (!isThere) {
      const tree = plantTree({ id: entity, name, device, peakKWp: plan.peakKWp, sources });
      await entities.createAll(editor, tree);
    }
    await this.#addBoards(caller, language);
    return this.#set(caller, id, { step: 'done' });
  }

  async #addBoards(caller: Installer, language: PlantLanguage): Promise<void> {
    const { boards } = this.#options;
    const { workgroup, by } = caller;
    const kept = await boards.list(caller);
    const wanted = plantBoards(language);
    for (const label of ['site', 'inverter'] as const)
      if (!kept.some(({ type, typeId }) => type === 'label' && typeId === label))
        await boards.add(workgroup, wanted[label], by);
  }

  async #set(
    caller: Installer,
    id: string,
    change: Parameters<CommissioningStore['set']>[2],
  ): Promise<Setup> {
    const changed = await this.#options.store.set(personOf(caller), id, change);
    if (!changed) throw new AppError('commissioning.not_found');
    return changed;
  }

  #sees({ workgroup, devices }: Installer, device: string): boolean {
    return this.#options.registry.known(device)?.workgroup === workgroup && devices.has(device);
  }

  #record(
    { workgroup, by }: Installer,
    device: string,
    what: { entity: string; action: string; attribute: string; newValue: string; status?: 'failed' },
  ): void {
    const entry = { workgroup, device, at: Date.now(), controller: 'commissioning' };
    this.#options.audit.record({ ...entry, ...what, by: by.email, address: by.address });
  }
}

const personOf = ({ workgroup, by }: Installer): Person => ({ workgroup, userId: by.userId });

function demandMachines(machines: readonly PlantMachine[]): readonly PlantMachine[] {
  if (machines.length === 0) throw new AppError('commissioning.no_machines');
  return machines;
}
