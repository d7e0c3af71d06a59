import type { DeviceMeta } from '@albedo/contract/devices/meta.schema';
import { topic } from '../bus/topic.ts';
import type { RegisteredDevice } from '../registry/registry.ts';

/** A device was made, or is called or described differently. */
export const deviceSet = topic<RegisteredDevice>('device:set');

/** Told once the device is gone. */
export const deviceRemoved = topic<{ workgroup: string; id: string }>('device:removed');

/** What a device says it captures was kept. */
export const metaKept = topic<{ device: string; meta: DeviceMeta }>('device:meta-kept');
