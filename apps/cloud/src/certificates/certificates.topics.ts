import { topic } from '../bus/topic.ts';

/** A device has another certificate, or none that is good. `isOnTrial`: the one that it speaks with is still good. */
export const certificateChanged = topic<{ id: string; isOnTrial?: boolean }>('certificate:changed');

/**
 * Certificates of the device are no longer good; `isOnTrial`: it speaks with another one. The revocation is over when all have
 * heard, and fails where the device could not be cut off.
 */
export const certificateRevoked = topic<{ id: string; isOnTrial?: boolean }>('certificate:revoked', {
  reach: 'process',
  isVital: true,
});
