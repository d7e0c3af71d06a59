import type { RequestMessage } from '@albedo/contract/link/link.messages';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FEED_TTL_S, Feeds } from './feeds.ts';

const key = { device: 'a', table: 'data', source: 'cpu' };
let asked: RequestMessage[] = [];
let feeds: Feeds;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  feeds = new Feeds(async (_device, request) => {
    asked.push(request);
    return true;
  });
});
afterEach(() => {
  feeds.stop();
  vi.useRealTimers();
});

const actions = () => asked.map((request) => request.action);

test('a feed is asked for again before it ends on the device, as long as somebody looks', () => {
  const leave = feeds.watch(key, () => {});
  vi.advanceTimersByTime(FEED_TTL_S * 1000);
  expect(actions().length).toBeGreaterThanOrEqual(3);
  leave();
  vi.advanceTimersByTime(FEED_TTL_S * 1000);
  expect(actions().at(-1)).toBe('feedStop');
});

test('a device that comes back is asked at once', () => {
  feeds.watch(key, () => {});
  feeds.renew('a');
  feeds.renew('b');
  expect(actions()).toEqual(['feed', 'feed']);
});

test('samples go to the viewers of their feed and nobody else, and only from its device', () => {
  const [mine, others]: unknown[][] = [[], []];
  feeds.watch(key, (events) => mine?.push(...events));
  feeds.watch({ ...key, source: 'disk' }, (events) => others?.push(...events));
  const [first] = asked;
  if (first?.action !== 'feed') throw new Error('no feed was asked for');
  const message = { feedId: first.feedId, table: 'data', source: 'cpu', events: [[1, { x: 1 }]] };
  feeds.take('a', message as never);
  feeds.take('b', message as never);
  expect(mine).toEqual([[1, { x: 1 }]]);
  expect(others).toEqual([]);
});
