import { topic } from '../bus/topic.ts';

/** A tunnel is over: what runs through it in any process ends at once. */
export const tunnelEnded = topic<{ id: string }>('tunnels:ended', { isVital: true });
