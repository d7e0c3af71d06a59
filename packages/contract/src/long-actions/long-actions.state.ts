import type { LongActionState } from './long-actions.schema.ts';

/** True for one that will not change any more. */
export const isOver = (state: LongActionState): boolean => state !== 'queued' && state !== 'running';
