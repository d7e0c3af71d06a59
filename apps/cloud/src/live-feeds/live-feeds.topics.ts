import type { LatestSource } from '@albedo/contract/devices/devices.schema';
import { topic } from '../bus/topic.ts';

/** People of a process watch these devices. */
export const devicesWatched = topic<string[]>('live:watched');

interface Latest {
  device: string;
  sources: LatestSource[];
}

/** Newest values of a device that is watched in another process. */
export const latestTold = topic<Latest>('live:latest');

/** Newest values of a device that people of this process watch; ten times a second at most. */
export const latestChanged = topic<Latest>('live:latest-changed', { reach: 'process' });
