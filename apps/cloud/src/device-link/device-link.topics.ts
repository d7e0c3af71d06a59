import type { RequestMessage } from '@albedo/contract/link/link.messages';
import { topic } from '../bus/topic.ts';

/** A device came to the device link of this process, or went; epoch ms. */
export const devicePresence = topic<{ device: string; online: boolean; at: number }>('link:presence', {
  reach: 'process',
});

/** Whichever process the device is connected to sends it. */
export const requestAsked = topic<{ device: string; request: RequestMessage }>('link:ask');
