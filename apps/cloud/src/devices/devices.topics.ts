import { topic } from '../bus/topic.ts';
import type { RegisteredDevice } from '../registry/registry.ts';

/** A device was made, or is called or described differently. */
export const deviceSet = topic<RegisteredDevice>('device:set');

/** Told once the device is gone. */
export const deviceRemoved = topic<{ workgroup: string; id: string }>('device:removed');

/** A device has another certificate, or none that is good. */
export const certificateChanged = topic<{ id: string }>('device:certificate');

/**
 * No certificate of the device is good any more. The revocation is over when all have heard, and fails where the device
 * could not be cut off.
 */
export const certificateRevoked = topic<{ id: string }>('device:certificate-revoked', {
  reach: 'process',
  isVital: true,
});
