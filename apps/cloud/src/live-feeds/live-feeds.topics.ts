import type { LatestSource } from '@albedo/contract/devices/devices.schema';
import type { DeviceMeta } from '@albedo/contract/devices/meta.schema';
import type { RequestMessage } from '@albedo/contract/link/link.messages';
import { topic } from '../bus/topic.ts';

/** People of a process watch these devices. */
export const devicesWatched = topic<string[]>('live:watched');

/** Newest values of a device that is watched in another process. */
export const latestTold = topic<{ device: string; sources: LatestSource[] }>('live:latest');

/** The meta of a device was kept. */
export const metaKept = topic<{ device: string; meta: DeviceMeta }>('live:meta');

/** Whichever process the device is connected to sends it. */
export const requestAsked = topic<{ device: string; request: RequestMessage }>('live:ask');
