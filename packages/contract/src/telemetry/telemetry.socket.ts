import { z } from 'zod';
import { member } from '../access/access.ts';
import type { SocketAction } from '../sockets/action.ts';
import { searchQuery, searchResult } from './search.schema.ts';
import { demandedTable } from './telemetry.schema.ts';

export const telemetryActions = {
  search: {
    access: member,
    summary: 'Searches one table, as the endpoint of that name does.',
    request: z.strictObject({
      table: demandedTable,
      /** In place of the one of the query. */
      timezone: searchQuery.shape.timezone.unwrap().optional(),
      query: searchQuery.strict().prefault({}),
    }),
    reply: searchResult,
    // Longer than the store works on a search, so that its own words come first.
    timeoutMs: 60_000,
    isQuery: true,
  },
} as const satisfies Record<string, SocketAction>;
