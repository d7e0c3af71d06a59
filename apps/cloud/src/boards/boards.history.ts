import type { BoardItem } from '@albedo/contract/boards/board-items';
import { type NewBoard, newBoard } from '@albedo/contract/boards/boards.schema';
import { AppError } from '../errors/app-error.ts';
import { at, type Kind } from '../history/history.service.ts';
import type { Boards } from './boards.service.ts';

type KeptBoard = Omit<NewBoard, '_id'>;

const inFile = newBoard.omit({ _id: true });

/** Dashboards have versions and can be written as code. */
export const boardsHistory = (boards: Boards): Kind<KeptBoard> => ({
  name: 'dashboard',
  demand: async (caller, id, action) => {
    const { may } = await boards.get(caller, id);
    if (!may.includes(action)) throw new AppError('board.not_found');
  },
  isHidden: async (caller) => {
    const hidden = await boards.hidden(caller);
    return (id) => hidden.has(id);
  },
  all: async (caller) =>
    (await boards.whole(caller)).map(({ _id: id, type, typeId, name, board }) => ({
      id,
      content: { type, typeId, name, board } as KeptBoard,
    })),
  put: async (editor, things, placeOf) => {
    for (const [i, { id, content }] of things.entries())
      await at(placeOf(i), async () => {
        const may = await boards.mayOf(editor, id);
        if (may === null) {
          await boards.demandCreate(editor);
          await boards.create(editor, newBoard.parse({ _id: id, ...content }), editor.by);
        } else if (may.includes('edit')) await boards.update(editor, id, inFile.parse(content), editor.by);
        else throw new AppError('access.denied', { action: 'edit', resource: 'dashboards' });
      });
  },
  remove: async (editor, ids) => {
    for (const id of ids) {
      const may = await boards.mayOf(editor, id);
      if (!may?.includes('delete'))
        throw new AppError('access.denied', { action: 'delete', resource: 'dashboards' });
      await boards.remove(editor, id, editor.by);
    }
  },
  byId: ({ board, ...rest }) => ({
    ...rest,
    board: { ...board, items: itemsById(board.items as BoardItem[]) },
  }),
  code: {
    section: 'dashboards',
    keyOf: ({ content: { type, typeId, name } }) => `${name} (${type} ${typeId})`,
    schema: inFile,
    write: ({ content }) => content,
    read: (spec: KeptBoard) => ({ content: spec }),
  },
});

const itemsById = (items: readonly BoardItem[]): object =>
  Object.fromEntries(
    items.map(({ id, items: inner, ...rest }) => [
      id,
      { ...rest, ...(inner ? { items: itemsById(inner) } : {}) },
    ]),
  );
