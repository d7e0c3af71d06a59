import type { RequestMessage } from '@albedo/contract/link/link.messages';
import { topic } from '../bus/topic.ts';

/** A device came to the device link of this process, or went; epoch ms. */
export const devicePresence = topic<{ device: string; online: boolean; at: number }>('link:presence', {
  reach: 'process',
});

/** A process that can reach the device sends it; of several that can, the first one. */
export const requestAsked = topic<{ id: string; device: string; request: RequestMessage }>('link:ask');

/** A process wants to know from which address a device is connected; the one with its connection tells. */
export const addressAsked = topic<{ id: string; device: string }>('link:address-asked');
export const addressTold = topic<{ id: string; address: string }>('link:address-told');
