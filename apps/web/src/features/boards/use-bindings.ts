import type { BoardItem } from '@albedo/contract/boards/board-items';
import { type Bindings, bindingsOf, boundItem, type ChoiceWorld } from '@albedo/contract/boards/variables';
import type { BoardVariable } from '@albedo/contract/boards/variables.schema';
import { useMemo } from 'react';
import { type BoardContext, useBoard } from './board-context.ts';

const NONE: Bindings = new Map();

/** What variables are, of what was chosen. */
export function useBindings(
  variables: readonly BoardVariable[] | undefined,
  chosen: Readonly<Record<string, string>>,
  { entities, labels, offered }: ChoiceWorld,
  scope = '',
): Bindings {
  return useMemo(
    () =>
      variables && variables.length > 0
        ? bindingsOf(variables, chosen, { entities, labels, offered }, scope)
        : NONE,
    [variables, chosen, entities, labels, offered, scope],
  );
}

/** A widget with what variables are, and the room for what stands in it: its own variables, and the entity it shows. */
export function useItemRoom(given: BoardItem): { item: BoardItem; room: BoardContext } {
  const board = useBoard();
  const { choices, bindings: above, byId } = board;
  const own = useBindings(given.variables, choices.chosen, board, `${given.id}.`);
  const bindings = useMemo(() => (own.size === 0 ? above : new Map([...above, ...own])), [own, above]);
  const item = useMemo(() => boundItem(given, bindings), [given, bindings]);
  const entityId = item.entity !== undefined && byId.has(item.entity) ? item.entity : board.entityId;
  const room = useMemo(
    () =>
      bindings === board.bindings && entityId === board.entityId ? board : { ...board, bindings, entityId },
    [board, bindings, entityId],
  );
  return { item, room };
}
