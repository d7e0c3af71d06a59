import { z } from 'zod';
import { errorBody } from './errors.ts';

/** What one call does something with at most; a client does more in several calls. */
export const BULK_MAX = 50;

/** Several at once, by their ids. */
export const bulk = z.object({ ids: z.array(z.uuid()).min(1).max(BULK_MAX) });

/** Those that failed, each with the failure that a call for it alone would have had. */
export const bulkReply = z.object({ failed: z.array(errorBody.extend({ id: z.uuid() })) });
export type BulkReply = z.infer<typeof bulkReply>;
