import {
  type ChangedMachine,
  MACHINES_LIMIT,
  type Machine,
  type NewMachine,
} from '@albedo/contract/machines/machines.schema';
import type { Actor } from '../access/actor.ts';
import type { Audit, AuditEntry } from '../audit/audit.service.ts';
import type { Bus } from '../bus/bus.ts';
import { AppError } from '../errors/app-error.ts';
import { demandNewest, type History, type Save } from '../history/history.service.ts';
import type { TellList } from '../sockets/lists.ts';
import type { MachinesStore } from './machines.store.ts';
import { machineRemoved } from './machines.topics.ts';

export interface MachinesOptions {
  store: MachinesStore;
  audit: Audit;
  tell: TellList;
  bus: Bus;
  history: Pick<History, 'keep' | 'saving'>;
}

/** What entities are: their class, maker and ratings, and where the values of their roles stand. */
export class Machines {
  readonly #options: MachinesOptions;

  constructor(options: MachinesOptions) {
    this.#options = options;
  }

  list(workgroup: string): Promise<Machine[]> {
    return this.#options.store.list(workgroup);
  }

  ids(workgroup: string): Promise<Set<string>> {
    return this.#options.store.ids(workgroup);
  }

  /** Throws `machine.too_many`, `machine.name_taken`. */
  async create(workgroup: string, wanted: NewMachine, by: Actor | null, id?: string): Promise<Machine> {
    const { store } = this.#options;
    if ((await store.count(workgroup)) >= MACHINES_LIMIT)
      throw new AppError('machine.too_many', { count: MACHINES_LIMIT });
    const machine = await store.add(workgroup, wanted, id);
    if (!machine) throw new AppError('machine.name_taken', { name: wanted.name });
    await this.#keep(workgroup, by, { ...named(machine), content: contentOf(machine) });
    this.#changed(workgroup, machine, by, { action: 'create', newValue: textOf(machine) });
    return machine;
  }

  /** Throws `machine.not_found`, `machine.name_taken`, `history.not_newest`. */
  update(workgroup: string, id: string, wanted: ChangedMachine, by: Actor): Promise<Machine> {
    const thing = { workgroup, kind: 'machine', id } as const;
    return this.#options.history.saving(thing, () => this.#save(workgroup, id, wanted, by));
  }

  async #save(
    workgroup: string,
    id: string,
    { version, ...wanted }: ChangedMachine,
    by: Actor,
  ): Promise<Machine> {
    const before = await this.#machine(workgroup, id);
    demandNewest(version, before.version);
    const after = await this.#options.store.set(workgroup, id, wanted);
    if (after === undefined) throw new AppError('machine.not_found');
    if (after === null) throw new AppError('machine.name_taken', { name: wanted.name });
    const change = { oldValue: textOf(before), newValue: textOf(after) };
    const old = { ...named(before), content: contentOf(before) };
    await this.#keep(workgroup, by, { ...named(after), content: contentOf(after), before: old });
    this.#changed(workgroup, after, by, { action: 'update', ...change });
    return after;
  }

  /** Throws `machine.not_found`. */
  async remove(workgroup: string, id: string, by: Actor): Promise<void> {
    const machine = await this.#machine(workgroup, id);
    if (!(await this.#options.store.remove(workgroup, id))) throw new AppError('machine.not_found');
    const old = { ...named(machine), content: contentOf(machine) };
    await this.#keep(workgroup, by, { ...old, version: old.version + 1, content: null, before: old });
    await this.#options.bus.publish(machineRemoved, { workgroup, machine: id });
    this.#changed(workgroup, machine, by, { action: 'delete', oldValue: textOf(machine) });
  }

  async find(workgroup: string, id: string): Promise<Machine | undefined> {
    return this.#options.store.find(workgroup, id);
  }

  #keep(workgroup: string, by: Actor | null, save: Save): Promise<void> {
    return this.#options.history.keep({ workgroup, kind: 'machine', by }, [save]);
  }

  async #machine(workgroup: string, id: string): Promise<Machine> {
    const machine = await this.#options.store.find(workgroup, id);
    if (!machine) throw new AppError('machine.not_found');
    return machine;
  }

  #changed(
    workgroup: string,
    { _id, name }: Machine,
    by: Actor | null,
    what: Pick<AuditEntry, 'action' | 'oldValue' | 'newValue'>,
  ): void {
    const entry = { workgroup, at: Date.now(), controller: 'machine', entity: `${name} (${_id})` };
    const who = by ? { by: by.email, address: by.address } : {};
    this.#options.audit.record({ ...entry, attribute: 'record', ...who, ...what });
    this.#options.tell('machines', workgroup);
  }
}

const named = ({ _id, name, version }: Machine) => ({ id: _id, name, version });

/** What a version keeps. */
export const contentOf = ({ _id, version: _version, ...machine }: Machine): NewMachine => machine;

const textOf = (machine: Machine): string => JSON.stringify(contentOf(machine));
