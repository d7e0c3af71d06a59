import { ALL_RESOURCES } from '@albedo/contract/access/resources';
import {
  ENTITY_LIMITS,
  type Entity,
  type EntityChange,
  type EntityImpact,
  type EntityUse,
  type NewEntity,
  refsIn,
} from '@albedo/contract/entities/entities.schema';
import { withRefs } from '@albedo/contract/entities/meta-at';
import { WORKGROUP_LIMITS } from '@albedo/contract/workgroups/limits';
import type { Caller } from '../access/caller.ts';
import { ALL_DEVICES, type DeviceScope, seesSource } from '../access/device-scope.ts';
import type { AccessControl } from '../access-control/access-control.service.ts';
import { AppError } from '../errors/app-error.ts';
import { invalid } from '../errors/request-issues.ts';
import { demandNewest, type Editor, type History } from '../history/history.service.ts';
import type { Machines } from '../machines/machines.service.ts';
import type { DeviceRegistry } from '../registry/registry.ts';
import type { EntityRow } from './entities.store.ts';
import { demandParts } from './entity-parts.ts';
import { type EntityTraces, textOf } from './entity-traces.ts';
import { demandTree } from './entity-tree.ts';
import type { KeptTrees } from './kept-trees.ts';
import { visibleEntities } from './visible-entities.ts';

export interface EntitiesOptions {
  trees: KeptTrees;
  traces: EntityTraces;
  machines: Pick<Machines, 'ids'>;
  accessControl: Pick<AccessControl, 'chooser'>;
  history: Pick<History, 'asOne' | 'whole'>;
  registry: Pick<DeviceRegistry, 'known'>;
}

/** Who changes entities, and what exists for them. */
export type EntityEditor = Editor;

/** Says what of another feature uses some entities. */
type FindUses = (workgroup: string, ids: ReadonlySet<string>) => Promise<EntityUse[]>;

/** Sites and assets as a tree, with the data that each has. */
export class Entities {
  readonly #options: EntitiesOptions;
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
    return (await this.#options.trees.of(workgroup)).list;
  }

  /** What exists for the caller, by name. */
  async list(caller: Caller): Promise<readonly Entity[]> {
    const { tree, seen } = await this.#seen(caller);
    return seen ?? tree.list;
  }

  /** The same by id, to compute with: each `$ref` is what its source says, where the caller sees that source. */
  async facts(caller: Caller): Promise<Map<string, Entity>> {
    return this.#resolved(await this.list(caller), caller.workgroup, caller.devices);
  }

  /** Every entity of a workgroup, in the same way. */
  async allFacts(workgroup: string): Promise<Map<string, Entity>> {
    return this.#resolved(await this.all(workgroup), workgroup, ALL_DEVICES);
  }

  #resolved(all: readonly Entity[], workgroup: string, scope: DeviceScope): Map<string, Entity> {
    const read = (deviceId: string, source: string) => {
      const device = this.#options.registry.known(deviceId.toLowerCase());
      if (device?.workgroup !== workgroup || !seesSource(scope, device.id, source)) return undefined;
      return Object.hasOwn(device.sourceInfo, source) ? device.sourceInfo[source] : undefined;
    };
    return new Map(
      all.map((one) => [
        one._id,
        refsIn(one.meta).length > 0 ? { ...one, meta: withRefs(one.meta, read) } : one,
      ]),
    );
  }

  /** What exists for the caller as it is sent: for all who see everything it is written once. */
  async listText(caller: Caller): Promise<Buffer> {
    const { tree, seen } = await this.#seen(caller);
    return seen === null ? tree.json() : Buffer.from(JSON.stringify(seen));
  }

  /** `seen` is null for those who see everything. */
  async #seen(caller: Caller) {
    const { workgroup, devices } = caller;
    const tree = await this.#options.trees.of(workgroup);
    const mayView = await this.mayView(caller);
    const isAll = devices.isAll && mayView === null;
    return { tree, seen: isAll ? null : visibleEntities(tree, devices, mayView) };
  }

  /** Throws `entity.not_found`. */
  async get(caller: Caller, id: string): Promise<Entity> {
    const found = await this.#find(caller, id);
    if (!found) throw new AppError('entity.not_found');
    return found;
  }

  /** Which entities the rules let the caller view, also of those that are deleted; null for all. */
  mayView({ session, workgroup }: Caller): Promise<((id: string) => boolean) | null> {
    return this.#options.accessControl.chooser(session, workgroup, 'Entity', 'view');
  }

  /** Which entities the caller sees at least the names of; null for all, also for those that are not there. */
  async named(caller: Caller): Promise<((id: string) => boolean) | null> {
    const { seen } = await this.#seen(caller);
    if (seen === null) return null;
    const ids = new Set(seen.map(({ _id }) => _id));
    return (id) => ids.has(id);
  }

  async isSeen(caller: Caller, id: string): Promise<boolean> {
    return (await this.#find(caller, id)) !== undefined;
  }

  async #find(caller: Caller, id: string): Promise<Entity | undefined> {
    return (await this.list(caller)).find(({ _id, isNameOnly }) => _id === id && !isNameOnly);
  }

  /** Throws `entity.id_taken`, `entity.too_many`, and `request.invalid` where the part does not fit. */
  async create(editor: EntityEditor, wanted: NewEntity): Promise<Entity> {
    const [made] = await this.#options.history.whole(() => this.#createAll(editor, [wanted], () => ''));
    return made as Entity;
  }

  /** All of them or none; throws as `create` does. */
  createAll(
    editor: EntityEditor,
    wanted: readonly NewEntity[],
    placeOf = (at: number) => `entities.${at}.`,
  ): Promise<Entity[]> {
    const { history } = this.#options;
    return history.asOne(() => history.whole(() => this.#createAll(editor, wanted, placeOf)));
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
    await this.#demandParents(editor, wanted, placeOf);
    for (const [at, one] of wanted.entries())
      await demandParts(this.#options.machines, editor, { wanted: one, place: placeOf(at) });
    const made = await this.#options.trees.write(workgroup, (tree) => {
      const { entities: count } = WORKGROUP_LIMITS;
      if (tree.size + wanted.length > count) throw new AppError('entity.too_many', { count });
      const ids = new Set<string>();
      const rows = wanted.map(({ _id = crypto.randomUUID(), ...one }) => {
        if (tree.row(_id) || ids.has(_id)) throw new AppError('entity.id_taken', { id: _id });
        ids.add(_id);
        return { workgroup, id: _id, ...one, version: 1 };
      });
      demandTree(tree, rows, (at) => `${placeOf(at)}parent`);
      return { saved: rows, result: (after) => rows.map(({ id }) => after.entity(id) as Entity) };
    });
    await this.#options.traces.keep(editor, made);
    for (const one of made)
      this.#options.traces.record(editor, one, { action: 'create', newValue: textOf(one) });
    this.#options.traces.tell(
      workgroup,
      made.map(({ _id }) => _id),
      by,
    );
    return made;
  }

  /** Entities that the system itself brings along; nothing where the workgroup has some already. */
  async seed(
    workgroup: string,
    wanted: readonly (NewEntity & { _id: string })[],
    by: { email: string },
  ): Promise<void> {
    const made = await this.#options.trees.write(workgroup, (tree) => {
      const saved =
        tree.size > 0 ? [] : wanted.map(({ _id, ...one }) => ({ workgroup, id: _id, ...one, version: 1 }));
      return { saved, result: (after) => saved.map(({ id }) => after.entity(id) as Entity) };
    });
    await this.#options.traces.keep({ workgroup, by }, made);
  }

  /** Throws `entity.not_found`, `history.not_newest`, and `request.invalid` where the part does not fit. */
  async update(editor: EntityEditor, id: string, change: EntityChange): Promise<Entity> {
    const [changed] = await this.#options.history.whole(() =>
      this.#changeAll(editor, [{ _id: id, ...change }], () => ''),
    );
    return changed as Entity;
  }

  /** All of them or none. Throws `entity.not_found`, `access.denied`, `history.not_newest`, and `request.invalid`. */
  async changeAll(
    editor: EntityEditor,
    changes: readonly (EntityChange & { _id: string })[],
    placeOf = (at: number) => `changes.${at}.`,
  ): Promise<Entity[]> {
    await this.demandEdit(
      editor,
      changes.map(({ _id }) => _id),
    );
    const { history } = this.#options;
    return history.asOne(() => history.whole(() => this.#changeAll(editor, changes, placeOf)));
  }

  async #changeAll(
    editor: EntityEditor,
    changes: readonly (EntityChange & { _id: string })[],
    placeOf: (at: number) => string,
  ): Promise<Entity[]> {
    const { workgroup, by } = editor;
    const before = await this.#options.trees.of(workgroup);
    await this.#demandParents(editor, changes, placeOf);
    for (const [at, change] of changes.entries())
      await demandParts(this.#options.machines, editor, {
        ...{ wanted: change, known: before.entity(change._id), place: placeOf(at) },
      });
    const old: (Entity | undefined)[] = [];
    const changed = await this.#options.trees.write(workgroup, (tree) => {
      const rows = changes.map(({ _id, version, ...change }) => {
        const row = tree.row(_id);
        if (!row) throw new AppError('entity.not_found');
        demandNewest(version, row.version);
        old.push(tree.entity(_id));
        return { ...row, ...definedOf(change), version: row.version + 1 };
      });
      const isMoved = rows.some(({ id, parent }) => tree.row(id)?.parent !== parent);
      if (isMoved) demandTree(tree, rows, (at) => `${placeOf(at)}parent`);
      return { saved: rows, result: (after) => rows.map(({ id }) => after.entity(id) as Entity) };
    });
    await this.#options.traces.keep(editor, changed, old);
    for (const [at, one] of changed.entries()) {
      const texts = { oldValue: textOf(old[at] as Entity), newValue: textOf(one) };
      if (texts.oldValue !== texts.newValue)
        this.#options.traces.record(editor, one, { action: 'update', ...texts });
    }
    this.#options.traces.tell(
      workgroup,
      changed.map(({ _id }) => _id),
      by,
    );
    return changed;
  }

  /**
   * Nothing is put below an entity that does not exist for the editor; what stands there stays. Throws `request.invalid`.
   */
  async #demandParents(
    editor: EntityEditor,
    wanted: readonly { _id?: string | undefined; parent?: string | null | undefined }[],
    placeOf: (at: number) => string,
  ): Promise<void> {
    const isNamed = await this.named(editor);
    if (isNamed === null) return;
    const tree = await this.#options.trees.of(editor.workgroup);
    for (const [at, { _id, parent }] of wanted.entries()) {
      if (!parent || !tree.row(parent) || isNamed(parent)) continue;
      if (_id === undefined || tree.row(_id)?.parent !== parent)
        throw invalid('issue.entity_unknown', { id: parent }, `${placeOf(at)}parent`);
    }
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

  #setSetting(
    editor: EntityEditor,
    id: string,
    change: (settings: Entity['settings']) => Entity['settings'],
  ): Promise<Entity> {
    return this.#options.history.whole(() => this.#settingsSet(editor, id, change));
  }

  async #settingsSet(
    editor: EntityEditor,
    id: string,
    change: (settings: Entity['settings']) => Entity['settings'],
  ): Promise<Entity> {
    const { workgroup, by } = editor;
    let old: Entity | undefined;
    const changed = await this.#options.trees.write(workgroup, (tree) => {
      const row = tree.row(id);
      old = tree.entity(id);
      if (!row) throw new AppError('entity.not_found');
      return {
        saved: [{ ...row, settings: sized(change(row.settings)), version: row.version + 1 }],
        result: (after) => after.entity(id) as Entity,
      };
    });
    await this.#options.traces.keep(editor, [changed], [old]);
    const texts = { oldValue: JSON.stringify(old?.settings), newValue: JSON.stringify(changed.settings) };
    this.#options.traces.record(editor, changed, { action: 'update', attribute: 'settings', ...texts });
    this.#options.traces.tell(workgroup, [id], by);
    return changed;
  }

  /** What goes with an entity. Throws `entity.not_found`, and `access.denied` as its deletion does. */
  async impact({ workgroup, session }: Caller, id: string): Promise<EntityImpact> {
    const rows = (await this.#options.trees.of(workgroup)).withDescendants(id);
    if (rows.length === 0) throw new AppError('entity.not_found');
    const mayDelete = await this.#options.accessControl.chooser(session, workgroup, 'Entity', 'delete');
    if (mayDelete && !rows.every((row) => mayDelete(row.id)))
      throw new AppError('access.denied', { action: 'delete', resource: 'entities' });
    const ids = new Set(rows.map((row) => row.id));
    const uses = (await Promise.all(this.#uses.map((find) => find(workgroup, ids)))).flat();
    return { entities: rows.map((row) => ({ _id: row.id, name: row.name })), uses };
  }

  /** A machine that is gone is nobody's machine any more. */
  async forgetMachine(workgroup: string, machine: string): Promise<void> {
    const ids = await this.#options.trees.write(workgroup, (tree) => {
      const rows = tree.list
        .filter((one) => one.machine === machine)
        .flatMap(({ _id }) => tree.row(_id) ?? [])
        .map((row) => ({ ...row, machine: null, version: row.version + 1 }));
      return { saved: rows, result: () => rows.map(({ id }) => id) };
    });
    if (ids.length > 0) this.#options.traces.tell(workgroup, ids, null);
  }
}

/** What was left out stays: it is not there, and not undefined. */
const definedOf = (change: EntityChange): Partial<EntityRow> =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));

/** Settings that are added one by one are together no larger than those that are given at once. */
function sized(settings: Entity['settings']): Entity['settings'] {
  const { jsonBytes: max } = ENTITY_LIMITS;
  if (JSON.stringify(settings).length > max)
    throw invalid('issue.entity_json', { max: String(max) }, 'value');
  return settings;
}
