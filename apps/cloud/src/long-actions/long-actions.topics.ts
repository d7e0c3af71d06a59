import { topic } from '../bus/topic.ts';

/** Somebody wants a long action to end. */
export const longActionCancelled = topic<{ id: string }>('long-action:cancelled');
