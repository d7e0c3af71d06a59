import { topic } from '../bus/topic.ts';

/** A device has another certificate, or none that is good. */
export const certificateChanged = topic<{ id: string }>('certificate:changed');

/**
 * No certificate of the device is good any more. The revocation is over when all have heard, and fails where the device
 * could not be cut off.
 */
export const certificateRevoked = topic<{ id: string }>('certificate:revoked', {
  reach: 'process',
  isVital: true,
});
