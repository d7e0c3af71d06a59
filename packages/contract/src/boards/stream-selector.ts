import type { StreamSelector } from '../entities/streams.schema.ts';
import type { BoardStream } from './streams.schema.ts';

/** Where a stream of a board is looked for. */
export function selectorOf({
  over,
  path,
  label,
  role,
  table = '',
  field = '',
}: Omit<BoardStream, 'combine'>): StreamSelector {
  const where = { over, ...(path ? { path } : {}), ...(label ? { label } : {}) };
  return role === undefined ? { ...where, table, field } : { ...where, role };
}
