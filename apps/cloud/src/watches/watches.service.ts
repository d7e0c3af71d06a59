import type { Entity } from '@albedo/contract/entities/entities.schema';
import {
  type NewWatch,
  WATCHES_MAX,
  type Watch,
  type WatchKind,
} from '@albedo/contract/watches/watches.schema';
import type { Transaction } from '@albedo/postgres/postgres';
import type { Actor } from '../access/actor.ts';
import type { Caller } from '../access/caller.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { Entities } from '../entities/entities.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { WatchesStore, WatchRow } from './watches.store.ts';

/** What a thing that can be followed is called; null where it does not exist for the caller. */
type NameOf = (caller: Caller, id: string) => Promise<string | null>;

/** What an incident is about, as far as it decides who follows it. */
export interface Concerned {
  incident: string;
  alert: string;
  kind: string;
  device: string | null;
  table: string | null;
  source: string | null;
}

/** Somebody who follows an incident, and by which ways. */
export interface Follower {
  userId: string;
  channels: NewWatch['channels'];
}

export interface WatchesOptions {
  store: WatchesStore;
  registry: Pick<DeviceRegistry, 'known'>;
  entities: Pick<Entities, 'allFacts' | 'isSeen' | 'get'>;
  audit: Audit;
}

/** What people follow: incidents that concern it reach them. */
export class Watches {
  readonly #options: WatchesOptions;
  readonly #names = new Map<WatchKind, NameOf>();

  constructor(options: WatchesOptions) {
    this.#options = options;
    const device: NameOf = async ({ workgroup, devices }, id) => {
      const known = this.#options.registry.known(id);
      return known?.workgroup === workgroup && devices.has(id) ? known.name : null;
    };
    this.addKind('device', device);
    this.addKind('scan', device);
    this.addKind('entity', async (caller, id) => {
      const { entities } = this.#options;
      return (await entities.isSeen(caller, id)) ? (await entities.get(caller, id)).name : null;
    });
  }

  /** Has things of a feature followed: it says what they are called for whoever asks. */
  addKind(kind: WatchKind, nameOf: NameOf): void {
    this.#names.set(kind, nameOf);
  }

  async list(caller: Caller): Promise<Watch[]> {
    const rows = await this.#options.store.of(caller.workgroup, caller.session._id);
    return Promise.all(rows.map((row) => this.#told(caller, row)));
  }

  /** Throws `watch.target_not_found`, `watch.too_many`. */
  async create(caller: Caller, wanted: NewWatch, by: Actor): Promise<Watch> {
    const { store } = this.#options;
    const { workgroup } = caller;
    if ((await this.#names.get(wanted.kind)?.(caller, wanted.target)) == null)
      throw new AppError('watch.target_not_found');
    const own = await store.of(workgroup, by.userId);
    const isNew = !own.some(({ kind, target }) => kind === wanted.kind && target === wanted.target);
    if (isNew && own.length >= WATCHES_MAX) throw new AppError('watch.too_many', { count: WATCHES_MAX });
    const channels = [...new Set(wanted.channels)];
    const row = await store.keep(workgroup, by.userId, { ...wanted, channels });
    this.#record(row, by, isNew ? 'create' : 'update');
    return this.#told(caller, row);
  }

  async remove(workgroup: string, id: string, by: Actor): Promise<void> {
    const row = await this.#options.store.remove(workgroup, by.userId, id);
    if (row) this.#record(row, by, 'delete');
  }

  forget(workgroup: string, userId: string): Promise<void> {
    return this.#options.store.forget(workgroup, userId);
  }

  isThereAny(workgroup: string, inside: Transaction): Promise<boolean> {
    return this.#options.store.isThereAny(workgroup, inside);
  }

  /** Who follows incidents, by incident; whether they may hear of it is asked by whoever tells them. */
  async followers(
    workgroup: string,
    incidents: readonly Concerned[],
  ): Promise<ReadonlyMap<string, Follower[]>> {
    const rows = await this.#options.store.all(workgroup);
    if (rows.length === 0 || incidents.length === 0) return new Map();
    const hasEntities = rows.some(({ kind }) => kind === 'entity');
    const facts = hasEntities ? await this.#options.entities.allFacts(workgroup) : new Map<string, Entity>();
    const concerns = new Map(rows.map((row) => [row.id, concernsOf(row, facts)]));
    return new Map(
      incidents.map((one) => {
        const followers = new Map<string, Set<NewWatch['channels'][number]>>();
        for (const row of rows)
          if (concerns.get(row.id)?.(one))
            followers.set(row.userId, new Set([...(followers.get(row.userId) ?? []), ...row.channels]));
        return [
          one.incident,
          [...followers].map(([userId, channels]) => ({ userId, channels: [...channels] })),
        ];
      }),
    );
  }

  async #told(caller: Caller, { id, kind, target, channels, createdAt }: WatchRow): Promise<Watch> {
    const name = (await this.#names.get(kind)?.(caller, target)) ?? null;
    return { _id: id, kind, target, channels, name, createdAt: createdAt.getTime() };
  }

  #record({ workgroup, kind, target, channels }: WatchRow, by: Actor, action: string): void {
    this.#options.audit.record({
      workgroup,
      at: Date.now(),
      controller: 'watch',
      entity: `${kind} ${target}`,
      ...(kind === 'device' || kind === 'scan' ? { device: target } : {}),
      action,
      newValue: action === 'delete' ? '' : channels.join(', '),
      by: by.email,
      address: by.address,
    });
  }
}

/** Whether an incident concerns what is followed. */
function concernsOf(
  { kind, target }: WatchRow,
  facts: ReadonlyMap<string, Entity>,
): (incident: Concerned) => boolean {
  switch (kind) {
    case 'device':
      return ({ device }) => device === target;
    case 'rule':
      return ({ alert }) => alert === target;
    case 'schedule':
      // No incident is about a schedule yet, and none can be followed before one is (`addKind`).
      return () => false;
    case 'scan':
      return ({ device, kind: of }) => of === 'network' && device === target;
    case 'entity':
      return concernsEntity(target, facts);
  }
}

/** Sources and fields of the entity and of all below it. */
function concernsEntity(id: string, facts: ReadonlyMap<string, Entity>): (incident: Concerned) => boolean {
  const sources = new Set<string>();
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const entity = facts.get(next);
    if (!entity) continue;
    for (const { deviceId, source, table } of entity.signals.sources)
      sources.add(`${deviceId} ${table ?? '*'} ${source}`);
    for (const { deviceId, source, table } of entity.signals.fields)
      sources.add(`${deviceId} ${table} ${source}`);
    open.push(...entity.children);
  }
  return ({ device, table, source }) => {
    // What is about a device as a whole concerns everything that its sources belong to.
    if (source === null) return [...sources].some((one) => one.startsWith(`${device} `));
    return sources.has(`${device} * ${source}`) || sources.has(`${device} ${table} ${source}`);
  };
}
