import type { LongAction } from '@albedo/contract/long-actions/long-actions.schema';
import { FRONTEND_VERSION } from '@albedo/contract/product';
import type { UserEntry, Versions, WorkgroupEntry } from '@albedo/contract/workgroups/workgroup-admin.schema';
import type { Actor } from '../access/actor.ts';
import type { Accounts } from '../accounts/accounts.service.ts';
import { type Audit, PROVIDER_LOG } from '../audit/audit.service.ts';
import type { Bus } from '../bus/bus.ts';
import { AppError } from '../errors/app-error.ts';
import type { Health } from '../health/health.service.ts';
import type { LongActions } from '../long-actions/long-actions.service.ts';
import type { Invites } from '../members/invites.service.ts';
import type { Sessions } from '../sessions/sessions.service.ts';
import type { Sockets } from '../sockets/sockets.server.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { domainOf } from '../users/users.store.ts';
import type { Workgroups } from '../workgroups/workgroups.service.ts';
import { workgroupSuspended } from '../workgroups/workgroups.topics.ts';
import type { WorkgroupAdminStore } from './workgroup-admin.store.ts';
import type { WorkgroupWork } from './workgroup-work.ts';

export interface WorkgroupAdminOptions {
  store: WorkgroupAdminStore;
  workgroups: Workgroups;
  sessions: Sessions;
  invites: Invites;
  accounts: Accounts;
  health: Health;
  telemetry: Telemetry;
  sockets: Sockets;
  audit: Audit;
  bus: Bus;
  staffDomains: string[];
  roles: readonly string[];
  longActions: LongActions;
  work: WorkgroupWork;
}

/** Letters that are no plain one with a mark. */
const PLAIN_LETTERS: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd' };

/** What the staff do with workgroups and users as a whole. */
export class WorkgroupAdmin {
  readonly #options: WorkgroupAdminOptions;
  readonly #startedAt = Date.now();

  constructor(options: WorkgroupAdminOptions) {
    this.#options = options;
  }

  async list(): Promise<WorkgroupEntry[]> {
    const { store, health } = this.#options;
    const [rows, all] = await Promise.all([store.list(), store.devices()]);
    const byWorkgroup = Map.groupBy(all, ({ workgroup }) => workgroup);
    return rows.map(({ name, displayName, plan, members, createdAt, suspendedAt }) => {
      const devices = byWorkgroup.get(name) ?? [];
      return {
        name,
        displayName,
        plan,
        members,
        devices: devices.length,
        online: devices.filter(({ id }) => health.of(id).online).length,
        createdAt: createdAt.getTime(),
        suspendedAt: suspendedAt?.getTime() ?? null,
      };
    });
  }

  /** Throws `workgroup.name_taken`. */
  async create(
    wanted: { orgDisplay: string; plan: string; ownerEmail: string; ownerName: string },
    by: Actor,
  ): Promise<WorkgroupEntry> {
    const { invites } = this.#options;
    const { orgDisplay: displayName, plan, ownerEmail, ownerName } = wanted;
    const name = await this.#newName({ displayName, plan });
    await invites.activate(name, displayName, { email: ownerEmail, name: ownerName });
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
   * Throws `workgroup.not_found`, `workgroup.phrase_wrong`.
   */
  async remove(name: string, phrase: string, by: Actor): Promise<LongAction> {
    const { store, audit, longActions, work } = this.#options;
    const { displayName } = await this.#entry(name);
    if (phrase !== displayName) throw new AppError('workgroup.phrase_wrong', { phrase: displayName });
    await store.setSuspended(name, new Date());
    await this.#close(name, true);
    const entry = { workgroup: PROVIDER_LOG, at: Date.now(), controller: 'workgroup', entity: name };
    audit.record({ ...entry, action: 'delete', oldValue: displayName, by: by.email, address: by.address });
    const about = displayName;
    return longActions.begin(work.removing, { input: { workgroup: name }, about, workgroup: null, by });
  }

  async users(search: string): Promise<UserEntry[]> {
    return (await this.#options.store.users(search)).map((row) => this.#userEntry(row));
  }

  /** Throws `request.not_found`. The user's sessions end, so that it counts at once. */
  async setMfaRequired(id: string, mfaRequired: boolean, by: Actor): Promise<UserEntry> {
    const { store, sessions } = this.#options;
    const before = await this.#user(id);
    await store.setMfaRequired(id, mfaRequired);
    if (mfaRequired && !before.hasMfa) await sessions.revokeUser(id);
    const [oldValue, newValue] = [String(before.mfaRequired), String(mfaRequired)];
    this.#recordUser(before.email, by, { action: 'update', attribute: 'mfaRequired', oldValue, newValue });
    return this.#userEntry(await this.#user(id));
  }

  /** Throws `request.not_found`, `account.password_missing`. */
  async sendReset(id: string, by: Actor): Promise<void> {
    const user = await this.#user(id);
    if (user.passwordHash === null) throw new AppError('account.password_missing');
    this.#options.accounts.forgot(user.email, by.address);
    this.#recordUser(user.email, by, { action: 'reset' });
  }

  async versions(): Promise<Versions> {
    const { store, telemetry, health, roles } = this.#options;
    const [postgres, clickhouse, all] = await Promise.all([
      store.engineVersion(),
      telemetry.asSystem('versions').engineVersion(),
      store.devices(),
    ]);
    const facts = all.map(({ id }) => health.of(id));
    const byVersion = Map.groupBy(facts, ({ version }) => version ?? 'unknown');
    return {
      cloud: FRONTEND_VERSION,
      web: FRONTEND_VERSION,
      node: process.version,
      engines: [
        { name: 'PostgreSQL', version: postgres },
        { name: 'ClickHouse', version: clickhouse },
      ],
      agents: [...byVersion]
        .map(([version, of]) => ({
          version,
          devices: of.length,
          online: of.filter(({ online }) => online).length,
        }))
        .toSorted((a, b) => b.devices - a.devices),
      roles: [...roles],
      startedAt: this.#startedAt,
    };
  }

  /** A name made of what people call it, with a number where that is taken. */
  async #newName({ displayName, plan }: { displayName: string; plan: string }): Promise<string> {
    const { store } = this.#options;
    const letters = displayName.toLowerCase().replace(/[ßæœøłđ]/g, (one) => PLAIN_LETTERS[one] ?? one);
    const plain = letters.normalize('NFKD').replace(/\p{M}/gu, '');
    const base =
      plain
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '')
        .slice(0, 50) || 'workgroup';
    for (let number = 1; number <= 100; number++) {
      const name = number === 1 ? base : `${base}-${number}`;
      if (await store.add({ name, displayName, plan })) return name;
    }
    throw new AppError('workgroup.name_taken', { name: base });
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

  async #user(id: string) {
    const user = await this.#options.store.user(id);
    if (!user) throw new AppError('request.not_found');
    return user;
  }

  #userEntry(row: Awaited<ReturnType<WorkgroupAdminStore['users']>>[number]): UserEntry {
    return {
      _id: row.id,
      email: row.email,
      name: row.name,
      workgroups: row.workgroups,
      hasMfa: row.hasMfa,
      mfaRequired: row.mfaRequired,
      hasPassword: row.passwordHash !== null,
      isStaff: this.#options.staffDomains.includes(domainOf(row.email)),
      createdAt: row.createdAt.getTime(),
      lastSignInAt: row.lastSignInAt?.getTime() ?? null,
    };
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

  #recordUser(
    entity: string,
    { email, address }: Actor,
    what: { action: string; attribute?: string; oldValue?: string; newValue?: string },
  ): void {
    const entry = { workgroup: PROVIDER_LOG, at: Date.now(), controller: 'user', entity, by: email, address };
    this.#options.audit.record({ ...entry, ...what });
  }
}
