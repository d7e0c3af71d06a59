import type { Entity } from '@albedo/contract/entities/entities.schema';
import { nearestStreams, offeredOf } from '@albedo/contract/entities/entity-streams';
import type { EntityLabel } from '@albedo/contract/entities/labels';
import type { KnownWorld } from '../../app/entity-world-query.ts';
import { fieldName } from '../../app/series/field-name.ts';
import type { EntityLine } from './analysis-lines.ts';
import { nameOfPart, pathTo } from './entity-lines.ts';

/** Entities that a search shows. */
export const MOST_FOUND = 60;
/** Entities whose fields a search looks through; of others it finds names and labels. */
const MOST_SEARCHED = 200;

/** An entity that a search found, with where it stands, and the words that its fields have to have. */
export interface FoundEntity {
  entity: Entity;
  path: string;
  left: string[];
}

/**
 * Entities in which every word occurs: in their name or label, in those above them, or in what they measure. Those that
 * have a word of their own come before those that stand below such a one.
 */
export function findEntities(
  { world, entities, byId }: KnownWorld,
  labels: readonly EntityLabel[],
  wanted: string,
): FoundEntity[] {
  const words = wanted.split(/\s+/).filter(Boolean);
  const labelNames = new Map(labels.map(({ id, name }) => [id, name]));
  const own = (one: Entity) =>
    [one.name, ...one.labels.map((id) => labelNames.get(id) ?? id)].join('\n').toLowerCase();
  let searched = 0;
  const found = entities.flatMap((entity): (FoundEntity & { rank: number })[] => {
    const names = pathTo(byId, entity._id);
    const text = own(entity);
    const above = names.join('\n').toLowerCase();
    const left = words.filter((word) => !text.includes(word) && !above.includes(word));
    const rank = words.some((word) => text.includes(word)) ? 0 : 1;
    const path = names.join(' › ');
    if (left.length === 0) return [{ entity, path, left, rank }];
    if (searched >= MOST_SEARCHED) return [];
    searched += 1;
    return hasField(world, entity, left) ? [{ entity, path, left, rank }] : [];
  });
  return found.toSorted((a, b) => a.rank - b.rank).map(({ rank: _rank, ...one }) => one);
}

function hasField(world: KnownWorld['world'], { _id: entity }: Entity, words: readonly string[]): boolean {
  const { roles, fields } = offeredOf(world, entity);
  const names = [
    ...[...roles.keys()].map((role) => nameOfPart({ entity, role })),
    ...fields.map(({ table, field }) => `${table} ${field} ${fieldName(field)}`),
  ].map((name) => name.toLowerCase());
  return names.some((name) => words.every((word) => name.includes(word)));
}

/** The same line of each part of an entity: of each child that has it, and of those with each label. */
export interface Each {
  /** Name of the label; null for the children. */
  label: string | null;
  lines: EntityLine[];
}

/** In how many parts a line of an entity can be looked at; a choice that another one has already is left out. */
export function eachOf(
  { world, byId }: Pick<KnownWorld, 'world' | 'byId'>,
  labels: readonly EntityLabel[],
  line: EntityLine,
): Each[] {
  const lineOf = (entity: string): EntityLine[] => {
    const own = { ...line, entity };
    return nearestStreams(world, entity, own).length > 0 ? [own] : [];
  };
  const children = world.childrenOf(line.entity).flatMap(({ _id }) => lineOf(_id));
  const below = descendantsOf(world, line.entity).flatMap((id) => byId.get(id) ?? []);
  const labelled = [...new Set(below.flatMap((one) => one.labels))].map((id): Each => {
    const name = labels.find((one) => one.id === id)?.name ?? id;
    return {
      label: name,
      lines: below.filter((one) => one.labels.includes(id)).flatMap(({ _id }) => lineOf(_id)),
    };
  });
  const seen = new Set<string>();
  return [...labelled, { label: null, lines: children }].filter(({ lines }) => {
    const key = lines
      .map(({ entity }) => entity)
      .toSorted()
      .join('\n');
    const isNew = lines.length > 1 && !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

function descendantsOf(world: KnownWorld['world'], id: string): string[] {
  const all = [id];
  const seen = new Set(all);
  for (const one of all)
    for (const { _id } of world.childrenOf(one))
      if (!seen.has(_id)) {
        seen.add(_id);
        all.push(_id);
      }
  return all.slice(1);
}
