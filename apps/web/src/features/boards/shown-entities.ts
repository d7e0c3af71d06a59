import type { BoardHead } from '@albedo/contract/boards/boards.schema';
import type { Entity } from '@albedo/contract/entities/entities.schema';
import type { KnownWorld } from '../../app/entity-world-query.ts';

/** The entities that a board can show: all with its label, or the one that it belongs to. */
export const entitiesOf = (
  { type, typeId }: Pick<BoardHead, 'type' | 'typeId'>,
  { entities, byId }: KnownWorld,
): readonly Entity[] =>
  type === 'label'
    ? entities.filter(({ labels }) => labels.includes(typeId))
    : [byId.get(typeId)].filter((one) => one !== undefined);
