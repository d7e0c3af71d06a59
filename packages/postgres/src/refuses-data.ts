import { sqlStateOf } from './sql-state.ts';

/**
 * Classes of SQLSTATE that are about what was to be saved: data exceptions, integrity constraints, limits of the program. The same
 * rows are refused again, whenever they come; everything else passes with time.
 */
const OF_THE_DATA = /^(?:22|23|54)/;

/**
 * Whether a statement failed because of what it was to save. Errors without a code of the database count too (a text beyond the
 * longest that there can be, say): they were thrown while the statement was written.
 */
export function refusesData(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (state !== undefined) return OF_THE_DATA.test(state);
  return error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError;
}
