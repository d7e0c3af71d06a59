import { ENTITY_LIMITS, type Entity } from '@albedo/contract/entities/entities.schema';
import { invalid } from '../errors/request-issues.ts';
import type { EntityRow } from './entities.store.ts';

const inOrder = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const byName = (a: EntityRow, b: EntityRow): number =>
  inOrder.compare(a.name, b.name) || (a.id < b.id ? -1 : 1);

/** All entities of a workgroup at one version; never changed, only followed by another one. */
export class EntityTree {
  readonly version: number;
  readonly #sorted: readonly EntityRow[];
  readonly #rows: ReadonlyMap<string, EntityRow>;
  #json: Buffer | null = null;
  /** By name. */
  readonly list: readonly Entity[];
  readonly #entities: ReadonlyMap<string, Entity>;

  /** `rows` in whatever order. */
  static of(version: number, rows: Iterable<EntityRow>): EntityTree {
    return new EntityTree(version, [...rows].sort(byName));
  }

  private constructor(version: number, sorted: readonly EntityRow[]) {
    this.version = version;
    this.#sorted = sorted;
    this.#rows = new Map(sorted.map((row) => [row.id, row]));
    const children = new Map<string, string[]>();
    for (const { id, parent } of sorted)
      if (parent !== null) {
        const kept = children.get(parent);
        if (kept) kept.push(id);
        else children.set(parent, [id]);
      }
    this.list = sorted.map((row) => entityOf(row, children.get(row.id) ?? []));
    this.#entities = new Map(this.list.map((one) => [one._id, one]));
  }

  /** The whole list as it is sent; written once. */
  json(): Buffer {
    this.#json ??= Buffer.from(JSON.stringify(this.list));
    return this.#json;
  }

  get size(): number {
    return this.#rows.size;
  }

  row(id: string): EntityRow | undefined {
    return this.#rows.get(id);
  }

  entity(id: string): Entity | undefined {
    return this.#entities.get(id);
  }

  /** An entity and everything below it, parents before children; nothing where there is none. */
  withDescendants(id: string): EntityRow[] {
    const first = this.#rows.get(id);
    const all = first ? [first] : [];
    for (const { id: above } of all)
      for (const child of this.#entities.get(above)?.children ?? []) {
        const row = this.#rows.get(child);
        if (row) all.push(row);
      }
    return all;
  }

  /** The ids of everything above an entity, nearest first. */
  ancestorsOf(id: string): string[] {
    const all: string[] = [];
    for (let at = this.#rows.get(id)?.parent ?? null; at !== null; at = this.#rows.get(at)?.parent ?? null)
      all.push(at);
    return all;
  }

  /** The tree after some entities were written and others taken away. What stays keeps its place, so nothing is sorted anew. */
  followedBy(version: number, saved: readonly EntityRow[], removed: readonly string[]): EntityTree {
    const gone = new Set([...removed, ...saved.map(({ id }) => id)]);
    const kept = this.#sorted.filter(({ id }) => !gone.has(id));
    return new EntityTree(version, merged(kept, saved.toSorted(byName)));
  }
}

/** Two lists that are in order, as one. */
function merged(a: readonly EntityRow[], b: readonly EntityRow[]): EntityRow[] {
  const all: EntityRow[] = [];
  let at = 0;
  for (const row of b) {
    at = pushUpTo(all, a, at, row);
    all.push(row);
  }
  for (; at < a.length; at++) all.push(a[at] as EntityRow);
  return all;
}

/** Takes over what stands before a row; a search by halves, because few rows change among many. Answers where it ended. */
function pushUpTo(all: EntityRow[], from: readonly EntityRow[], start: number, row: EntityRow): number {
  let [low, high] = [start, from.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (byName(from[middle] as EntityRow, row) < 0) low = middle + 1;
    else high = middle;
  }
  for (let at = start; at < low; at++) all.push(from[at] as EntityRow);
  return low;
}

const entityOf = ({ id, workgroup: _workgroup, ...row }: EntityRow, children: string[]): Entity => ({
  _id: id,
  ...row,
  children,
});

/**
 * Throws `request.invalid` unless the entities fit into the tree: parents that are there, nobody above themselves, not
 * too deep. `placeOf` says where in the request an entity stands.
 */
export function demandTree(
  tree: EntityTree,
  saved: readonly EntityRow[],
  placeOf: (at: number) => string,
): void {
  const fresh = new Map(saved.map((row) => [row.id, row]));
  const rowOf = (id: string) => fresh.get(id) ?? tree.row(id);
  for (const [at, { id, parent, name }] of saved.entries()) {
    if (parent === null) continue;
    if (parent === id) throw invalid('issue.entity_self', {}, placeOf(at));
    let levels = 1;
    for (let above: string | null = parent; above !== null; levels++) {
      const row = rowOf(above);
      if (!row) throw invalid('issue.entity_unknown', { id: above }, placeOf(at));
      if (row.id === id) throw invalid('issue.entity_cycle', { name }, placeOf(at));
      // A circle that does not lead through this one is found there; here it must not go on for ever.
      if (levels > ENTITY_LIMITS.depth) break;
      above = row.parent;
    }
    if (levels + heightOf(tree, fresh, id) - 1 > ENTITY_LIMITS.depth) {
      if (isInCircle(rowOf, id)) throw invalid('issue.entity_cycle', { name }, placeOf(at));
      throw invalid('issue.entity_deep', { max: String(ENTITY_LIMITS.depth) }, placeOf(at));
    }
  }
}

function isInCircle(rowOf: (id: string) => EntityRow | undefined, id: string): boolean {
  const seen = new Set<string>();
  for (let at: string | null = id; at !== null; at = rowOf(at)?.parent ?? null) {
    if (seen.has(at)) return true;
    seen.add(at);
  }
  return false;
}

/** Levels below an entity of the tree with itself, as far as these were not moved by the same request. */
function heightOf(tree: EntityTree, fresh: ReadonlyMap<string, EntityRow>, id: string): number {
  let height = 0;
  for (let level = [id]; level.length > 0; height++)
    level = level.flatMap((one) => (tree.entity(one)?.children ?? []).filter((child) => !fresh.has(child)));
  return height;
}
