import type { Feeds } from './feeds.ts';
import type { Requests } from './requests.ts';
import type { Watches } from './watches.ts';

export type { Feeds } from './feeds.ts';
export type { Requests } from './requests.ts';
export type { Watches } from './watches.ts';

/** What people see of devices as it happens: their feeds, what they ask of them, and what they watch. */
export interface LiveFeeds {
  feeds: Feeds;
  requests: Requests;
  watches: Watches;
}
