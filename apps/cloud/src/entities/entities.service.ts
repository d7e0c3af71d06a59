import { ALL_RESOURCES } from '@albedo/contract/access/resources';
import {
  type Entity,
  type EntityChange,
  type EntityDeletion,
  type EntityImpact,
  type EntityUse,
  type NewEntity,
  RESTORABLE_DAYS,
  refsIn,
  type Signals,
  splitRef,
} from '@albedo/contract/entities/entities.schema';
import { WORKGROUP_LIMITS } from '@albedo/contract/workgroups/limits';
import { whenHeld } from '@albedo/postgres/together';
import type { Caller } from '../access/caller.ts';
import type { Manager } from '../access/manager.ts';
import type { AccessControl } from '../access-control/access-control.service.ts';
import type { Audit, AuditEntry } from '../audit/audit.service.ts';
import type { Bus } from '../bus/bus.ts';
import { AppError } from '../errors/app-error.ts';
import { invalid } from '../errors/request-issues.ts';
import type { Editor, History } from '../history/history.service.ts';
import type { Machines } from '../machines/machines.service.ts';
import type { TellList } from '../sockets/lists.ts';
import type { EntitiesStore, EntityRow } from './entities.store.ts';
import { entitiesChanged } from './entities.topics.ts';
import { demandTree, EntityTree } from './entity-tree.ts';
import { visibleEntities } from './visible-entities.ts';

export interface EntitiesOptions {
  store: EntitiesStore;
  machines: Pick<Machines, 'ids'>;
  accessControl: Pick<AccessControl, 'chooser'>;
  history: Pick<History, 'keep' | 'asOne'>;
  audit: Audit;
  tell: TellList;
  bus: Bus;
}

/** Who changes entities, and what exists for them. */
export type EntityEditor = Editor;

/** Says what of another feature uses some entities. */
type FindUses = (workgroup: string, ids: ReadonlySet<string>) => Promise<EntityUse[]>;

/** Changes of a tree that are written together. */
interface Plan<T> {
  saved?: EntityRow[];
  removed?: string[];
  /** What is written beside it. */
  also?: (tx: Parameters<Parameters<EntitiesStore['change']>[1]>[0]) => Promise<void>;
  result: (tree: EntityTree) => T;
}

const DAY_MS = 86_400_000;
/** Workgroups whose tree is kept in memory. */
const KEPT_TREES = 50;

/** Sites and assets as a tree, with the data that each has. */
export class Entities {
  readonly #options: EntitiesOptions;
  readonly #trees = new Map<string, EntityTree>();
  readonly #uses: FindUses[] = [];

  constructor(options: EntitiesOptions) {
    this.#options = options;
  }

  /** Has other features name what breaks when entities are deleted. */
  addUses(find: FindUses): void {
    this.#uses.push(find);
  }

  /** Every entity of a workgroup, for what runs without a caller. */
  async all(workgroup: string): Promise<readonly Entity[]> {
    return (await this.#tree(workgroup)).list;
  }

  /** What exists for the caller, by name. */
  async list(caller: Caller): Promise<readonly Entity[]> {
    const { tree, seen } = await this.#seen(caller);
    return seen ?? tree.list;
  }

  /** The same as it is sent: for all who see everything it is written once. */
  async listText(caller: Caller): Promise<Buffer> {
    const { tree, seen } = await this.#seen(caller);
    return seen === null ? tree.json() : Buffer.from(JSON.stringify(seen));
  }

  /** `seen` is null for those who see everything. */
  async #seen({ workgroup, session, devices }: Caller) {
    const tree = await this.#tree(workgroup);
    const mayView = await this.#options.accessControl.chooser(session, workgroup, 'Entity', 'view');
    const isAll = devices.isAll && mayView === null;
    return { tree, seen: isAll ? null : visibleEntities(tree, devices, mayView) };
  }

  /** Throws `entity.not_found`. */
  async get(caller: Caller, id: string): Promise<Entity> {
    const found = (await this.list(caller)).find(({ _id, isNameOnly }) => _id === id && !isNameOnly);
    if (!found) throw new AppError('entity.not_found');
    return found;
  }

  /** Throws `entity.id_taken`, `entity.too_many`, and `request.invalid` where the part does not fit. */
  async create(editor: EntityEditor, wanted: NewEntity): Promise<Entity> {
    const [made] = await this.#createAll(editor, [wanted], () => '');
    return made as Entity;
  }

  /** All of them or none; throws as `create` does. */
  createAll(
    editor: EntityEditor,
    wanted: readonly NewEntity[],
    placeOf = (at: number) => `entities.${at}.`,
  ): Promise<Entity[]> {
    return this.#options.history.asOne(() => this.#createAll(editor, wanted, placeOf));
  }

  /** Throws `access.denied`. */
  async demandEdit({ session, workgroup }: Caller, ids: readonly string[]): Promise<void> {
    const mayEdit = await this.#options.accessControl.chooser(session, workgroup, 'Entity', 'edit');
    if (mayEdit && !ids.every((id) => mayEdit(id)))
      throw new AppError('access.denied', { action: 'edit', resource: 'entities' });
  }

  /** Throws `access.denied`. */
  async demandCreate({ session, workgroup }: Caller): Promise<void> {
    const mayCreate = await this.#options.accessControl.chooser(session, workgroup, 'Entity', 'create');
    if (mayCreate && !mayCreate(ALL_RESOURCES))
      throw new AppError('access.denied', { action: 'create', resource: 'entities' });
  }

  async #createAll(
    editor: EntityEditor,
    wanted: readonly NewEntity[],
    placeOf: (at: number) => string,
  ): Promise<Entity[]> {
    const { workgroup, by } = editor;
    for (const [at, one] of wanted.entries()) await this.#demandParts(editor, one, undefined, placeOf(at));
    const made = await this.#write(workgroup, (tree) => {
      const { entities: count } = WORKGROUP_LIMITS;
      if (tree.size + wanted.length > count) throw new AppError('entity.too_many', { count });
      const ids = new Set<string>();
      const rows = wanted.map(({ _id = crypto.randomUUID(), ...one }) => {
        if (tree.row(_id) || ids.has(_id)) throw new AppError('entity.id_taken', { id: _id });
        ids.add(_id);
        return { workgroup, id: _id, ...one };
      });
      demandTree(tree, rows, (at) => `${placeOf(at)}parent`);
      return { saved: rows, result: (after) => rows.map(({ id }) => after.entity(id) as Entity) };
    });
    await this.#save(editor, made);
    for (const one of made) this.#record(editor, one, { action: 'create', newValue: textOf(one) });
    this.#tell(
      workgroup,
      made.map(({ _id }) => _id),
      by,
    );
    return made;
  }

  /** Entities that the system itself brings along; nothing where the workgroup has some already. */
  async seed(workgroup: string, wanted: readonly (NewEntity & { _id: string })[]): Promise<void> {
    await this.#write(workgroup, (tree) => ({
      saved: tree.size > 0 ? [] : wanted.map(({ _id, ...one }) => ({ workgroup, id: _id, ...one })),
      result: () => undefined,
    }));
  }

  /** Throws `entity.not_found`, and `request.invalid` where the part does not fit. */
  async update(editor: EntityEditor, id: string, change: EntityChange): Promise<Entity> {
    const [changed] = await this.#changeAll(editor, [{ _id: id, ...change }], () => '');
    return changed as Entity;
  }

  /** All of them or none. Throws `entity.not_found`, `access.denied`, and `request.invalid` where a part does not fit. */
  async changeAll(
    editor: EntityEditor,
    changes: readonly (EntityChange & { _id: string })[],
    placeOf = (at: number) => `changes.${at}.`,
  ): Promise<Entity[]> {
    await this.demandEdit(
      editor,
      changes.map(({ _id }) => _id),
    );
    return this.#options.history.asOne(() => this.#changeAll(editor, changes, placeOf));
  }

  async #changeAll(
    editor: EntityEditor,
    changes: readonly (EntityChange & { _id: string })[],
    placeOf: (at: number) => string,
  ): Promise<Entity[]> {
    const { workgroup, by } = editor;
    const before = await this.#tree(workgroup);
    for (const [at, change] of changes.entries())
      await this.#demandParts(editor, change, before.entity(change._id), placeOf(at));
    const old: (Entity | undefined)[] = [];
    const changed = await this.#write(workgroup, (tree) => {
      const rows = changes.map(({ _id, ...change }) => {
        const row = tree.row(_id);
        if (!row) throw new AppError('entity.not_found');
        old.push(tree.entity(_id));
        return { ...row, ...definedOf(change) };
      });
      const isMoved = rows.some(({ id, parent }) => tree.row(id)?.parent !== parent);
      if (isMoved) demandTree(tree, rows, (at) => `${placeOf(at)}parent`);
      return { saved: rows, result: (after) => rows.map(({ id }) => after.entity(id) as Entity) };
    });
    await this.#save(editor, changed, old);
    for (const [at, one] of changed.entries()) {
      const texts = { oldValue: textOf(old[at] as Entity), newValue: textOf(one) };
      if (texts.oldValue !== texts.newValue) this.#record(editor, one, { action: 'update', ...texts });
    }
    this.#tell(
      workgroup,
      changed.map(({ _id }) => _id),
      by,
    );
    return changed;
  }

  /** Throws `entity.not_found`, `entity.setting_taken`. */
  async addSetting(editor: EntityEditor, id: string, key: string, value: unknown): Promise<Entity> {
    return this.#setSetting(editor, id, (settings) => {
      if (Object.hasOwn(settings, key)) throw new AppError('entity.setting_taken', { key });
      return { ...settings, [key]: value as Entity['settings'][string] };
    });
  }

  /** Null takes it away. Throws `entity.not_found`, `entity.setting_unknown`. */
  async setSetting(editor: EntityEditor, id: string, key: string, value: unknown): Promise<Entity> {
    return this.#setSetting(editor, id, (settings) => {
      if (!Object.hasOwn(settings, key)) throw new AppError('entity.setting_unknown', { key });
      const { [key]: _old, ...others } = settings;
      return value === null ? others : { ...settings, [key]: value as Entity['settings'][string] };
    });
  }

  async #setSetting(
    editor: EntityEditor,
    id: string,
    change: (settings: Entity['settings']) => Entity['settings'],
  ): Promise<Entity> {
    const { workgroup, by } = editor;
    let old: Entity | undefined;
    const changed = await this.#write(workgroup, (tree) => {
      const row = tree.row(id);
      old = tree.entity(id);
      if (!row) throw new AppError('entity.not_found');
      return {
        saved: [{ ...row, settings: change(row.settings) }],
        result: (after) => after.entity(id) as Entity,
      };
    });
    await this.#save(editor, [changed], [old]);
    const texts = { oldValue: JSON.stringify(old?.settings), newValue: JSON.stringify(changed.settings) };
    this.#record(editor, changed, { action: 'update', attribute: 'settings', ...texts });
    this.#tell(workgroup, [id], by);
    return changed;
  }

  /** What goes with an entity. Throws `entity.not_found`. */
  async impact({ workgroup }: Caller, id: string): Promise<EntityImpact> {
    const rows = (await this.#tree(workgroup)).withDescendants(id);
    if (rows.length === 0) throw new AppError('entity.not_found');
    const ids = new Set(rows.map((row) => row.id));
    const uses = (await Promise.all(this.#uses.map((find) => find(workgroup, ids)))).flat();
    return { entities: rows.map((row) => ({ _id: row.id, name: row.name })), uses };
  }

  /** With everything below it. Throws `entity.not_found`, `access.denied`. */
  async remove(editor: EntityEditor, id: string): Promise<EntityDeletion> {
    const { workgroup, session, by } = editor;
    const { store, accessControl } = this.#options;
    const mayDelete = await accessControl.chooser(session, workgroup, 'Entity', 'delete');
    const deletedAt = new Date();
    const gone = await this.#write(workgroup, (tree) => {
      const rows = tree.withDescendants(id);
      const [first] = rows;
      if (!first) throw new AppError('entity.not_found');
      if (mayDelete && !rows.every((row) => mayDelete(row.id)))
        throw new AppError('access.denied', { action: 'delete', resource: 'entities' });
      const deletion = { workgroup, name: first.name, entities: rows, deletedAt, deletedBy: by.email };
      let _id = '';
      return {
        removed: rows.map((row) => row.id),
        also: async (tx) => {
          _id = await store.addDeletion(tx, deletion);
        },
        result: () => ({ ...deletion, id: _id, count: rows.length }),
      };
    });
    await this.#options.history.asOne(() =>
      this.#options.history.keep(
        { workgroup, kind: 'entity', by },
        gone.entities.map((row) => ({
          ...{ id: row.id, name: row.name, content: null },
          before: { name: row.name, content: contentOf(row) },
        })),
      ),
    );
    this.#record(
      editor,
      { _id: id, name: gone.name },
      {
        action: 'delete',
        oldValue: gone.entities.map(({ name, id: one }) => `${name} (${one})`).join(', '),
      },
    );
    this.#tell(
      workgroup,
      gone.entities.map((row) => row.id),
      by,
    );
    return deletionOf(gone);
  }

  async deletions(workgroup: string): Promise<EntityDeletion[]> {
    return (await this.#options.store.deletions(workgroup, restorableSince())).map(deletionOf);
  }

  /** Throws `entity.deletion_not_found`, `entity.id_taken`, `entity.too_many`. */
  async restore(editor: EntityEditor, deletion: string): Promise<Entity[]> {
    const { workgroup, by } = editor;
    const { store } = this.#options;
    const machines = await this.#options.machines.ids(workgroup);
    const back = await store.change(workgroup, async (tx, version) => {
      const taken = await store.takeDeletion(tx, workgroup, deletion, restorableSince());
      if (!taken) throw new AppError('entity.deletion_not_found');
      const tree = await this.#treeIn(workgroup, tx, version - 1);
      const { entities: count } = WORKGROUP_LIMITS;
      if (tree.size + taken.entities.length > count) throw new AppError('entity.too_many', { count });
      for (const { id } of taken.entities) if (tree.row(id)) throw new AppError('entity.id_taken', { id });
      const rows = taken.entities.map((row, at) => {
        const isOrphan = at === 0 && row.parent !== null && !tree.row(row.parent);
        const machine = row.machine !== null && machines.has(row.machine) ? row.machine : null;
        return { ...row, machine, parent: isOrphan ? null : row.parent };
      });
      demandTree(tree, rows, () => 'parent');
      await store.save(tx, rows);
      return { version, rows, after: tree.followedBy(version, rows, []) };
    });
    this.#keep(workgroup, back.after);
    const entities = back.rows.map(({ id }) => back.after.entity(id) as Entity);
    await this.#options.history.asOne(() => this.#save(editor, entities));
    for (const one of entities) this.#record(editor, one, { action: 'restore', newValue: textOf(one) });
    this.#tell(
      workgroup,
      entities.map(({ _id }) => _id),
      by,
    );
    return entities;
  }

  /** Deletions that can no longer be undone go. */
  forgetOldDeletions(): Promise<void> {
    return this.#options.store.forgetDeletions(restorableSince());
  }

  /** A machine that is gone is nobody's machine any more. */
  async forgetMachine(workgroup: string, machine: string): Promise<void> {
    const ids = await this.#write(workgroup, (tree) => {
      const rows = tree.list
        .filter((one) => one.machine === machine)
        .flatMap(({ _id }) => tree.row(_id) ?? [])
        .map((row) => ({ ...row, machine: null }));
      return { saved: rows, result: () => rows.map(({ id }) => id) };
    });
    if (ids.length > 0) this.#tell(workgroup, ids, null);
  }

  /** Reads of the version are cheap; the tree is read again once somebody has changed it, here or elsewhere. */
  async #tree(workgroup: string): Promise<EntityTree> {
    const { store } = this.#options;
    const version = await store.version(workgroup);
    const kept = this.#trees.get(workgroup);
    if (kept?.version === version) return kept;
    const tree = EntityTree.of(version, await store.list(workgroup));
    this.#keep(workgroup, tree);
    return tree;
  }

  /** The tree of a version as a change finds it, which nobody else changes meanwhile. */
  async #treeIn(
    workgroup: string,
    tx: Parameters<EntitiesStore['list']>[1],
    version: number,
  ): Promise<EntityTree> {
    const kept = this.#trees.get(workgroup);
    if (kept?.version === version) return kept;
    return EntityTree.of(version, await this.#options.store.list(workgroup, tx));
  }

  /** Keeps the versions of what is other than it was. */
  async #save(
    { workgroup, by }: EntityEditor,
    saved: readonly Entity[],
    old: readonly (Entity | undefined)[] = [],
  ): Promise<void> {
    const saves = saved.flatMap((one, at) => {
      const [content, before] = [contentOf(one), old[at]];
      if (before && JSON.stringify(contentOf(before)) === JSON.stringify(content)) return [];
      const was = before && { name: before.name, content: contentOf(before) };
      return [{ id: one._id, name: one.name, content, before: was }];
    });
    if (saves.length > 0) await this.#options.history.keep({ workgroup, kind: 'entity', by }, saves);
  }

  /** Not before the change holds: another one could have the same version later. */
  #keep(workgroup: string, tree: EntityTree): void {
    whenHeld(() => this.#keepTree(workgroup, tree));
  }

  #keepTree(workgroup: string, tree: EntityTree): void {
    const known = this.#trees.get(workgroup);
    if (known && known.version > tree.version) return;
    this.#trees.delete(workgroup);
    this.#trees.set(workgroup, tree);
    const [oldest] = this.#trees.keys();
    if (this.#trees.size > KEPT_TREES && oldest !== undefined) this.#trees.delete(oldest);
  }

  async #write<T>(workgroup: string, plan: (tree: EntityTree) => Plan<T>): Promise<T> {
    const { store } = this.#options;
    const done = await store.change(workgroup, async (tx, version) => {
      const tree = await this.#treeIn(workgroup, tx, version - 1);
      const { saved = [], removed = [], also, result } = plan(tree);
      await store.save(tx, saved);
      await store.remove(tx, workgroup, removed);
      await also?.(tx);
      return { after: tree.followedBy(version, saved, removed), result };
    });
    this.#keep(workgroup, done.after);
    return done.result(done.after);
  }

  /** What is new among devices and machines has to be there; what an entity had already may be gone. */
  async #demandParts(
    editor: EntityEditor,
    wanted: EntityChange,
    known: Entity | undefined,
    place: string,
  ): Promise<void> {
    const { machine, signals, meta } = wanted;
    if (machine && machine !== known?.machine) {
      const ids = await this.#options.machines.ids(editor.workgroup);
      if (!ids.has(machine)) throw invalid('issue.machine_unknown', { id: machine }, `${place}machine`);
    }
    const had = new Set(
      [...devicesOf(known?.signals), ...devicesOf(undefined, known?.meta)].map(({ id }) => id),
    );
    for (const { id, path, isRef } of devicesOf(signals, meta)) {
      if (had.has(id)) continue;
      had.add(id);
      if (await exists(editor, id)) continue;
      throw invalid(isRef ? 'issue.ref_dangling' : 'issue.device_unknown', { id }, place + path);
    }
  }

  #record(
    { workgroup, by }: Pick<EntityEditor, 'workgroup' | 'by'>,
    { _id, name }: Pick<Entity, '_id' | 'name'>,
    what: Pick<AuditEntry, 'action' | 'attribute' | 'oldValue' | 'newValue'>,
  ): void {
    const entry = { workgroup, at: Date.now(), controller: 'entity', entity: `${name} (${_id})` };
    this.#options.audit.record({ ...entry, attribute: 'record', by: by.email, address: by.address, ...what });
  }

  #tell(workgroup: string, ids: string[], by: Manager | null): void {
    void this.#options.bus.publish(entitiesChanged, { workgroup, ids, by: by?.email ?? null });
    this.#options.tell('entities', workgroup);
  }
}

/** The devices that an entity names, each with where. */
function devicesOf(
  signals: Signals | undefined,
  meta?: Entity['meta'],
): { id: string; path: string; isRef: boolean }[] {
  const named = (['sources', 'fields'] as const).flatMap((kind) =>
    (signals?.[kind] ?? []).map(({ deviceId }, at) => ({
      id: deviceId,
      path: `signals.${kind}.${at}.deviceId`,
      isRef: false,
    })),
  );
  const refs = refsIn(meta).flatMap(({ path, ref }) => {
    const place = splitRef(ref);
    return place ? [{ id: place.deviceId, path: ['meta', ...path].join('.'), isRef: true }] : [];
  });
  return [...named, ...refs];
}

async function exists(editor: EntityEditor, device: string): Promise<boolean> {
  try {
    await editor.demandDevice(device);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.error === 'device.not_found') return false;
    throw error;
  }
}

/** What was left out stays: it is not there, and not undefined. */
const definedOf = (change: EntityChange): Partial<EntityRow> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));

const restorableSince = (): Date => new Date(Date.now() - RESTORABLE_DAYS * DAY_MS);

const deletionOf = (row: {
  id: string;
  name: string;
  count: number;
  deletedAt: Date;
  deletedBy: string;
}): EntityDeletion => ({
  _id: row.id,
  name: row.name,
  count: row.count,
  deletedAt: row.deletedAt.getTime(),
  deletedBy: row.deletedBy,
  restorableUntil: row.deletedAt.getTime() + RESTORABLE_DAYS * DAY_MS,
});

/** What a version keeps. */
export const contentOf = ({
  name,
  parent,
  labels,
  machine,
  meta,
  signals,
  settings,
}: Pick<EntityRow, Exclude<keyof EntityRow, 'id' | 'workgroup'>>) => ({
  ...{ name, parent, labels, machine, meta, signals, settings },
});

const textOf = ({ name, parent, labels, machine, meta, signals }: Entity): string =>
  JSON.stringify({ name, parent, labels, machine, meta, signals });
