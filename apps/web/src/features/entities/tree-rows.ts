import type { Entity } from '@albedo/contract/entities/entities.schema';

/** One line of the tree as it is drawn. */
export interface TreeRow {
  entity: Entity;
  /** 0 at the top. */
  depth: number;
  hasChildren: boolean;
  isOpen: boolean;
  /** It is what was looked for; those above a match are drawn too. */
  isMatch: boolean;
}

/** Moves that are not saved: the new parent by id. */
export type Moves = ReadonlyMap<string, string | null>;

/** Entities by what the tree looks them up by. Whose parent is not visible stands at the top. */
export class TreeIndex {
  readonly byId: ReadonlyMap<string, Entity>;
  readonly #children = new Map<string | null, Entity[]>();
  readonly #moves: Moves;
  readonly #words: readonly string[];
  readonly #entities: readonly Entity[];

  constructor(
    entities: readonly Entity[],
    moves: Moves = new Map(),
    labelNames: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#entities = entities;
    this.#moves = moves;
    this.byId = new Map(entities.map((one) => [one._id, one]));
    for (const one of entities) {
      const parent = this.parentOf(one._id);
      const kept = this.#children.get(parent);
      if (kept) kept.push(one);
      else this.#children.set(parent, [one]);
    }
    this.#words = entities.map(({ _id, name, labels }) =>
      [name, _id, ...labels.map((label) => labelNames.get(label) ?? label)].join('\n').toLowerCase(),
    );
  }

  /** Null at the top. */
  parentOf(id: string): string | null {
    const moved = this.#moves.get(id);
    const parent = moved === undefined ? (this.byId.get(id)?.parent ?? null) : moved;
    return parent !== null && this.byId.has(parent) ? parent : null;
  }

  childrenOf(id: string | null): readonly Entity[] {
    return this.#children.get(id) ?? [];
  }

  /** Ids of everything above, the nearest first. */
  above(id: string): string[] {
    const all: string[] = [];
    for (let at = this.parentOf(id); at !== null && !all.includes(at); at = this.parentOf(at)) all.push(at);
    return all;
  }

  /** Whether an entity may stand below another one, or at the top. */
  canMove(id: string, to: string | null): boolean {
    return to !== id && (to === null || !this.above(to).includes(id));
  }

  /** Names from the top down, with its own. */
  pathOf(id: string): string {
    return [...this.above(id).toReversed(), id].map((one) => this.byId.get(one)?.name ?? one).join(' › ');
  }

  /** The lines to draw: what is open, or while something is looked for the matches with all above them. */
  rows(open: ReadonlySet<string>, wanted: string): TreeRow[] {
    const matches = wanted === '' ? null : this.#matches(wanted);
    const shown = matches && new Set([...matches].flatMap((id) => [id, ...this.above(id)]));
    const rows: TreeRow[] = [];
    const visit = (parent: string | null, depth: number): void => {
      for (const entity of this.childrenOf(parent)) {
        const { _id } = entity;
        if (shown && !shown.has(_id)) continue;
        const hasChildren = this.#children.has(_id);
        const isOpen = hasChildren && (shown ? true : open.has(_id));
        rows.push({ entity, depth, hasChildren, isOpen, isMatch: matches?.has(_id) ?? false });
        if (isOpen) visit(_id, depth + 1);
      }
    };
    visit(null, 0);
    return rows;
  }

  #matches(wanted: string): Set<string> {
    const found = new Set<string>();
    for (const [at, words] of this.#words.entries())
      if (words.includes(wanted)) found.add((this.#entities[at] as Entity)._id);
    return found;
  }
}
