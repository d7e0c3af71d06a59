import { type BoardItem, changedBoard } from '@albedo/contract/boards/boards.schema';
import { AppError } from '../errors/app-error.ts';
import type { Kind } from '../history/history.service.ts';
import type { Boards } from './boards.service.ts';

/** Dashboards have versions. */
export const boardsHistory = (boards: Boards): Kind => ({
  name: 'dashboard',
  demand: async (caller, id, action) => {
    const { may } = await boards.get(caller, id);
    if (!may.includes(action)) throw new AppError('board.not_found');
  },
  restore: async (caller, id, content, by) => {
    const { version, name, updatedBy, updatedAt } = await boards.update(
      caller,
      id,
      changedBoard.parse(content),
      by,
    );
    return { version, name, by: updatedBy, at: updatedAt };
  },
  byId: (content) => {
    const { board, ...rest } = content as { board: { items: BoardItem[] } };
    return { ...rest, board: { ...board, items: itemsById(board.items) } };
  },
});

const itemsById = (items: readonly BoardItem[]): object =>
  Object.fromEntries(
    items.map(({ id, items: inner, ...rest }) => [
      id,
      { ...rest, ...(inner ? { items: itemsById(inner) } : {}) },
    ]),
  );
