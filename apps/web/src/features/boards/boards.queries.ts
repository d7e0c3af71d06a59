import { boardsApi } from '@albedo/contract/boards/boards.api';
import type { Board, BoardHead, StoredBoard } from '@albedo/contract/boards/boards.schema';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../app/call.ts';
import { withLastState } from '../../app/last-state.ts';
import { followList } from '../../app/live-list.ts';
import { queryClient } from '../../app/query-client.ts';

followList('entity-dashboards', ['board']);

export const boardQuery = (wg: string, board: string) =>
  queryOptions({
    queryKey: ['board', wg, board],
    queryFn: async ({ signal }) =>
      (await withLastState(`board ${wg} ${board}`, () =>
        call(boardsApi.get, { params: { wg, board } }, signal),
      )) as unknown as StoredBoard,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });

export interface BoardDraft {
  type: BoardHead['type'];
  typeId: string;
  name: string;
  board: Board;
}

/** What is edited of a stored board. */
export const draftOf = ({ type, typeId, name, board }: StoredBoard): BoardDraft => ({
  type,
  typeId,
  name,
  board,
});

/** Makes the dashboard, or saves the next version of the one with the id. */
export async function saveBoard(
  wg: string,
  of: { id: string; version: number | undefined } | null,
  { board, ...rest }: BoardDraft,
): Promise<StoredBoard> {
  const body = { ...rest, board: board as never };
  const saved =
    of === null
      ? await call(boardsApi.create, { params: { wg }, body })
      : await call(boardsApi.update, {
          params: { wg, board: of.id },
          body: { ...body, ...(of.version === undefined ? {} : { version: of.version }) },
        });
  queryClient.setQueryData(['board', wg, saved._id], saved as never);
  await queryClient.invalidateQueries({ queryKey: ['boards', wg] });
  return saved as unknown as StoredBoard;
}

export async function removeBoard(wg: string, board: string): Promise<void> {
  await call(boardsApi.remove, { params: { wg, board } });
  await queryClient.invalidateQueries({ queryKey: ['boards', wg] });
}

/** The one that is shown first: the first with 'overview' in its name, else the first. Source: specification 1, section 3. */
export const defaultBoard = (boards: readonly BoardHead[]): BoardHead | undefined =>
  boards.find(({ name }) => /overview/i.test(name)) ?? boards[0];
