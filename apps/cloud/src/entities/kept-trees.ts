import { whenHeld } from '@albedo/postgres/together';
import type { EntitiesStore, EntityRow } from './entities.store.ts';
import { EntityTree } from './entity-tree.ts';

type Tx = Parameters<Parameters<EntitiesStore['change']>[1]>[0];

/** Changes of a tree that are written together. */
export interface Plan<T> {
  saved?: EntityRow[];
  removed?: string[];
  /** What is written beside it. */
  also?: (tx: Tx) => Promise<void>;
  result: (tree: EntityTree) => T;
}

/** Workgroups whose tree is kept in memory. */
const KEPT_TREES = 50;

/** The trees of workgroups, each read again once somebody has changed it, and changed by one at a time. */
export class KeptTrees {
  readonly #store: EntitiesStore;
  readonly #kept = new Map<string, EntityTree>();

  constructor(store: EntitiesStore) {
    this.#store = store;
  }

  /** Reads of the version are cheap; the tree is read again once somebody has changed it, here or elsewhere. */
  async of(workgroup: string): Promise<EntityTree> {
    const version = await this.#store.version(workgroup);
    const kept = this.#kept.get(workgroup);
    if (kept?.version === version) return kept;
    const tree = EntityTree.of(version, await this.#store.list(workgroup));
    this.#keep(workgroup, tree);
    return tree;
  }

  /** Writes what is planned for the tree as it is now; nobody else changes it meanwhile. */
  async write<T>(
    workgroup: string,
    plan: (tree: EntityTree, tx: Tx) => Plan<T> | Promise<Plan<T>>,
  ): Promise<T> {
    const done = await this.#store.change(workgroup, async (tx, version) => {
      const tree = await this.#in(workgroup, tx, version - 1);
      const { saved = [], removed = [], also, result } = await plan(tree, tx);
      await this.#store.save(tx, saved);
      await this.#store.remove(tx, workgroup, removed);
      await also?.(tx);
      return { after: tree.followedBy(version, saved, removed), result };
    });
    this.#keep(workgroup, done.after);
    return done.result(done.after);
  }

  /** The tree of a version as a change finds it. */
  async #in(workgroup: string, tx: Tx, version: number): Promise<EntityTree> {
    const kept = this.#kept.get(workgroup);
    if (kept?.version === version) return kept;
    return EntityTree.of(version, await this.#store.list(workgroup, tx));
  }

  /** Not before the change holds: another one could have the same version later. */
  #keep(workgroup: string, tree: EntityTree): void {
    whenHeld(() => {
      const known = this.#kept.get(workgroup);
      if (known && known.version > tree.version) return;
      this.#kept.delete(workgroup);
      this.#kept.set(workgroup, tree);
      const [oldest] = this.#kept.keys();
      if (this.#kept.size > KEPT_TREES && oldest !== undefined) this.#kept.delete(oldest);
    });
  }
}
