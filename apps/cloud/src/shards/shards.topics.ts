import { topic } from '../bus/topic.ts';

/** Shards became free, or another process wants some. */
export const shardsMoved = topic<null>('link:shards');
