import type { EntityLabel } from '@albedo/contract/entities/labels';
import type { KnownWorld } from '../../app/entity-world-query.ts';
import type { Opened } from '../../app/series/use-opened.ts';
import type { EntityLine } from './analysis-lines.ts';

/** What every row of the tree needs. */
export interface PickedTree {
  entities: KnownWorld;
  labels: readonly EntityLabel[];
  opened: Opened;
  /** Lines that are ticked of an entity and of all below it. */
  counts: ReadonlyMap<string, number>;
  /** Lines that are ticked, as texts. */
  chosen: ReadonlySet<string>;
  isFull: boolean;
  toggle: (line: EntityLine) => void;
  add: (lines: readonly EntityLine[]) => void;
}
