import { isReservedName } from '@albedo/contract/http/reserved-names';
import type { LongAction } from '@albedo/contract/long-actions/long-actions.schema';
import type { newWorkgroup, WorkgroupEntry } from '@albedo/contract/workgroup-admin/workgroup-admin.schema';
import type { z } from 'zod';
import type { Actor } from '../access/actor.ts';
import { type Audit, PROVIDER_LOG } from '../audit/audit.service.ts';
import type { Bus } from '../bus/bus.ts';
import type { Config } from '../config/config.ts';
import type { DataTables } from '../data-tables/data-tables.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { Counts, WorkgroupPart } from '../house/workgroup-part.ts';
import type { LongActions } from '../long-actions/long-actions.service.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import { workgroupMade, workgroupSuspended } from '../workgroups/workgroups.topics.ts';
import type { WorkgroupAdminStore } from './workgroup-admin.store.ts';
import type { WorkgroupWork } from './workgroup-work.ts';

export interface WorkgroupAdminOptions {
  store: WorkgroupAdminStore;
  /** What all features have of workgroups. */
  parts: () => readonly WorkgroupPart[];
  sockets: Sockets;
  audit: Audit;
  bus: Bus;
  longActions: LongActions;
  storage: Pick<DataTables, 'demandUnheld'>;
  work: WorkgroupWork;
  /** Whether new workgroups demand a second factor where nobody says. */
  config: Pick<Config, 'workgroupMfa'>;
}

/** Letters that are no plain one with a mark. */
const PLAIN_LETTERS: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd' };

/** What the staff do with workgroups as a whole. */
export class WorkgroupAdmin {
  readonly #options: WorkgroupAdminOptions;

  constructor(options: WorkgroupAdminOptions) {
    this.#options = options;
  }

  async list(): Promise<WorkgroupEntry[]> {
    const [rows, counted] = await Promise.all([this.#options.store.list(), this.#counted()]);
    const numberOf = (what: string, name: string) => counted.get(what)?.get(name) ?? 0;
    return rows.map(({ name, displayName, plan, createdAt, suspendedAt }) => ({
      name,
      displayName,
      plan,
      members: numberOf('members', name),
      devices: numberOf('devices', name),
      online: numberOf('online', name),
      createdAt: createdAt.getTime(),
      suspendedAt: suspendedAt?.getTime() ?? null,
    }));
  }

  /** Throws `workgroup.name_taken`. */
  async create(wanted: z.output<typeof newWorkgroup>, by: Actor): Promise<WorkgroupEntry> {
    const { bus, config } = this.#options;
    const { orgDisplay: displayName, plan, ownerEmail, ownerName } = wanted;
    const { mfaRequired = config.workgroupMfa } = wanted;
    const name = await this.#newName({ displayName, plan, mfaRequired });
    const owner = { email: ownerEmail, name: ownerName };
    await bus.publish(workgroupMade, { workgroup: name, displayName, owner });
    this.#options.sockets.listChanged('workgroups', null);
    this.#record(name, by, { action: 'create', newValue: `for ${ownerEmail}` });
    return this.#entry(name);
  }

  /** Throws `workgroup.not_found`. Data of its devices goes on being stored. */
  async setSuspended(name: string, isSuspended: boolean, by: Actor): Promise<WorkgroupEntry> {
    const { store } = this.#options;
    const before = await this.#entry(name);
    if ((before.suspendedAt !== null) === isSuspended) return before;
    await store.setSuspended(name, isSuspended ? new Date() : null);
    this.#close(name, isSuspended);
    this.#record(name, by, { action: isSuspended ? 'suspend' : 'resume' });
    return this.#entry(name);
  }

  /** Begins an archive of all of it. Throws `workgroup.not_found`. */
  async export(name: string, by: Actor): Promise<LongAction> {
    const { displayName: about } = await this.#entry(name);
    const { longActions, work } = this.#options;
    this.#record(name, by, { action: 'export' });
    return longActions.begin(work.exporting, { input: { workgroup: name }, about, workgroup: null, by });
  }

  /**
   * Closes the workgroup and begins to delete it, as `workgroupWork` says.
   * Throws `workgroup.not_found`, `workgroup.phrase_wrong`, `data_table.held` where a legal hold is on any of its data.
   */
  async remove(name: string, phrase: string, by: Actor): Promise<LongAction> {
    const { store, audit, longActions, storage, work } = this.#options;
    const { displayName } = await this.#entry(name);
    if (phrase !== displayName) throw new AppError('workgroup.phrase_wrong', { phrase: displayName });
    await storage.demandUnheld(name);
    await store.setSuspended(name, new Date());
    await this.#close(name, true);
    const entry = { workgroup: PROVIDER_LOG, at: Date.now(), controller: 'workgroup', entity: name };
    audit.record({ ...entry, action: 'delete', oldValue: displayName, by: by.email, address: by.address });
    const about = displayName;
    return longActions.begin(work.removing, { input: { workgroup: name }, about, workgroup: null, by });
  }

  /** A name made of what people call it, with a number where that is taken. */
  async #newName(wanted: { displayName: string; plan: string; mfaRequired: boolean }): Promise<string> {
    const { store } = this.#options;
    const letters = wanted.displayName.toLowerCase().replace(/[ßæœøłđ]/g, (one) => PLAIN_LETTERS[one] ?? one);
    const plain = letters.normalize('NFKD').replace(/\p{M}/gu, '');
    const base =
      plain
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '')
        .slice(0, 50) || 'workgroup';
    for (let number = 1; number <= 100; number++) {
      const name = number === 1 ? base : `${base}-${number}`;
      if (isReservedName(name)) continue;
      if (await store.add({ name, ...wanted })) return name;
    }
    throw new AppError('workgroup.name_taken', { name: base });
  }

  /** The numbers of all parts by what is counted, then by workgroup. */
  async #counted(): Promise<Map<string, Counts>> {
    const counted = this.#options.parts().flatMap((part) => Object.entries(part.counted ?? {}));
    return new Map(await Promise.all(counted.map(async ([what, count]) => [what, await count()] as const)));
  }

  #close(workgroup: string, isSuspended: boolean): void {
    const { bus, sockets } = this.#options;
    void bus.publish(workgroupSuspended, { workgroup, isSuspended });
    sockets.reconnect(workgroup);
    sockets.listChanged('workgroups', null);
  }

  async #entry(name: string): Promise<WorkgroupEntry> {
    const found = (await this.list()).find((one) => one.name === name);
    if (!found) throw new AppError('workgroup.not_found', { name });
    return found;
  }

  #record(
    workgroup: string,
    { email, address }: Pick<Actor, 'email' | 'address'>,
    what: { action: string; newValue?: string },
  ): void {
    const entry = {
      workgroup,
      at: Date.now(),
      controller: 'workgroup',
      entity: workgroup,
      by: email,
      address,
    };
    this.#options.audit.record({ ...entry, ...what });
  }
}
