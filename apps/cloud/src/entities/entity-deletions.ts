import { type Entity, type EntityDeletion, RESTORABLE_DAYS } from '@albedo/contract/entities/entities.schema';
import { WORKGROUP_LIMITS } from '@albedo/contract/workgroups/limits';
import type { Caller } from '../access/caller.ts';
import type { AccessControl } from '../access-control/access-control.service.ts';
import { AppError } from '../errors/app-error.ts';
import type { Editor, History } from '../history/history.service.ts';
import type { Machines } from '../machines/machines.service.ts';
import type { EntitiesStore } from './entities.store.ts';
import { type EntityTraces, textOf } from './entity-traces.ts';
import { demandTree } from './entity-tree.ts';
import type { KeptTrees } from './kept-trees.ts';

export interface EntityDeletionsOptions {
  store: EntitiesStore;
  trees: KeptTrees;
  traces: EntityTraces;
  machines: Pick<Machines, 'ids'>;
  accessControl: Pick<AccessControl, 'chooser'>;
  history: Pick<History, 'asOne'>;
}

const DAY_MS = 86_400_000;

/** Entities that go with everything below them, and come back for a while. */
export class EntityDeletions {
  readonly #of: EntityDeletionsOptions;

  constructor(of: EntityDeletionsOptions) {
    this.#of = of;
  }

  /** With everything below it. Throws `entity.not_found`, `access.denied`. */
  async remove(editor: Editor, id: string): Promise<EntityDeletion> {
    const { workgroup, session, by } = editor;
    const { store, trees, traces, accessControl, history } = this.#of;
    const mayDelete = await accessControl.chooser(session, workgroup, 'Entity', 'delete');
    const deletedAt = new Date();
    const gone = await trees.write(workgroup, (tree) => {
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
    await history.asOne(() => traces.keepGone(editor, gone.entities));
    const oldValue = gone.entities.map(({ name, id: one }) => `${name} (${one})`).join(', ');
    traces.record(editor, { _id: id, name: gone.name }, { action: 'delete', oldValue });
    traces.tell(
      workgroup,
      gone.entities.map((row) => row.id),
      by,
    );
    return deletionOf(gone);
  }

  /** Those in which is nothing that the rules keep from the caller. */
  async list({ workgroup, session }: Caller): Promise<EntityDeletion[]> {
    const all = await this.#of.store.deletions(workgroup, restorableSince());
    const mayView = await this.#of.accessControl.chooser(session, workgroup, 'Entity', 'view');
    return all.filter(({ ids }) => mayView === null || ids.every(mayView)).map(deletionOf);
  }

  /** Throws `entity.deletion_not_found`, `entity.id_taken`, `entity.too_many`. */
  async restore(editor: Editor, deletion: string): Promise<Entity[]> {
    const { workgroup, session, by } = editor;
    const { store, trees, traces, history } = this.#of;
    const machines = await this.#of.machines.ids(workgroup);
    const mayView = await this.#of.accessControl.chooser(session, workgroup, 'Entity', 'view');
    const back = await trees.write(workgroup, async (tree, tx) => {
      const taken = await store.takeDeletion(tx, workgroup, deletion, restorableSince());
      if (!taken || (mayView && !taken.entities.every(({ id }) => mayView(id))))
        throw new AppError('entity.deletion_not_found');
      const { entities: count } = WORKGROUP_LIMITS;
      if (tree.size + taken.entities.length > count) throw new AppError('entity.too_many', { count });
      for (const { id } of taken.entities) if (tree.row(id)) throw new AppError('entity.id_taken', { id });
      const rows = taken.entities.map((row, at) => {
        const isOrphan = at === 0 && row.parent !== null && !tree.row(row.parent);
        const machine = row.machine !== null && machines.has(row.machine) ? row.machine : null;
        // What was deleted before versions were counted begins anew.
        const version = (row.version ?? 0) + 1;
        return { ...row, machine, version, parent: isOrphan ? null : row.parent };
      });
      demandTree(tree, rows, () => 'parent');
      return { saved: rows, result: (after) => rows.map(({ id }) => after.entity(id) as Entity) };
    });
    await history.asOne(() => traces.keep(editor, back));
    for (const one of back) traces.record(editor, one, { action: 'restore', newValue: textOf(one) });
    traces.tell(
      workgroup,
      back.map(({ _id }) => _id),
      by,
    );
    return back;
  }

  /** Deletions that can no longer be undone go. */
  forgetOld(): Promise<void> {
    return this.#of.store.forgetDeletions(restorableSince());
  }
}

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
