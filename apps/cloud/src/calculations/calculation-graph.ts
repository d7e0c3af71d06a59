import type { NewCalculation } from '@albedo/contract/calculations/calculations.schema';
import type { KpiAggregate } from '@albedo/contract/kpis/kpis.schema';

/** What of a calculation decides who needs whom. */
export type Linked = Pick<NewCalculation, 'name' | 'values'> & { id: string; writesTo: string };

/** Which streams a value reads: its own, and those that say how much or when they count. */
export const selectorsOf = ({ streams, weightedBy, during }: KpiAggregate): KpiAggregate['streams'][] =>
  [streams, weightedBy, during?.streams].flatMap((one) => one ?? []);

/** Fields of tables: what it writes, and what it reads by name. Roles are never those of a calculation. */
function placesOf({ values, writesTo }: Linked): { written: Set<string>; read: Set<string> } {
  const written = new Set<string>();
  const read = new Set<string>();
  for (const [name, value] of Object.entries(values)) {
    if (value.kind === 'formula') written.add(`${writesTo}\n${name}`);
    if (value.kind === 'aggregate')
      for (const wanted of selectorsOf(value))
        if ('field' in wanted) read.add(`${wanted.table}\n${wanted.field}`);
  }
  return { written, read };
}

/** Which calculations read what another one writes. Judged by table and field, so that no change of the tree makes a cycle. */
export class CalculationGraph {
  readonly #all: ReadonlyMap<string, Linked>;
  /** Those that it needs. */
  readonly #needs = new Map<string, string[]>();

  constructor(all: readonly Linked[]) {
    this.#all = new Map(all.map((one) => [one.id, one]));
    const places = all.map((one) => ({ id: one.id, ...placesOf(one) }));
    for (const { id, read } of places)
      this.#needs.set(
        id,
        places.filter(({ written }) => [...written].some((place) => read.has(place))).map((one) => one.id),
      );
  }

  /** Those that read what this one writes. */
  followersOf(id: string): string[] {
    return [...this.#needs].filter(([, needed]) => needed.includes(id)).map(([follower]) => follower);
  }

  /** How many stand before it at most: 0 for one that reads what devices send alone. */
  depthOf(id: string, above: readonly string[] = []): number {
    if (above.includes(id)) return 0;
    const needed = this.#needs.get(id) ?? [];
    return needed.reduce((most, one) => Math.max(most, 1 + this.depthOf(one, [...above, id])), 0);
  }

  /** Names along a circle through a calculation, its own first and last; null where there is none. */
  cycleThrough(id: string): string[] | null {
    const seen = new Set<string>();
    const walk = (at: string, path: readonly string[]): string[] | null => {
      for (const needed of this.#needs.get(at) ?? []) {
        if (needed === id) return [...path, needed];
        if (seen.has(needed)) continue;
        seen.add(needed);
        const found = walk(needed, [...path, needed]);
        if (found) return found;
      }
      return null;
    };
    return walk(id, [id])?.map((one) => this.#all.get(one)?.name ?? one) ?? null;
  }
}
