import { boardsQuery } from '../../app/boards-query.ts';
import { entityWorldQuery } from '../../app/entity-world-query.ts';
import { queryClient } from '../../app/query-client.ts';
import { lookupTablesQuery } from '../lookup-tables/lookup-tables.queries.ts';
import { boardQuery, defaultBoard } from './boards.queries.ts';

/** Asks for what a dashboard needs, all at once and beside the files of the screen, which shows how it goes. */
export function askAhead(wg: string, named: string | undefined): void {
  void queryClient.prefetchQuery(entityWorldQuery(wg));
  void queryClient.prefetchQuery(lookupTablesQuery(wg));
  const list = queryClient.ensureQueryData(boardsQuery(wg));
  const prefetch = (board: string) => void queryClient.prefetchQuery(boardQuery(wg, board));
  if (named !== undefined) prefetch(named);
  list.then(
    (boards) => {
      const first = defaultBoard(boards);
      if (named === undefined && first) prefetch(first._id);
    },
    // The screen asks again, and says what is wrong.
    () => {},
  );
}
