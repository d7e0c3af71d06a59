import type { StreamSelector } from '../entities/streams.schema.ts';
import type { BoardStream } from './streams.schema.ts';

/** Where a stream of a board is looked for. */
export function selectorOf({
  over,
  path,
  label,
  sourceLabel,
  role,
  table = '',
  field = '',
}: Omit<BoardStream, 'combine'>): StreamSelector {
  const where = {
    over,
    ...(path ? { path } : {}),
    ...(label ? { label } : {}),
    ...(sourceLabel ? { sourceLabel } : {}),
  };
  return role === undefined ? { ...where, table, field } : { ...where, role };
}
