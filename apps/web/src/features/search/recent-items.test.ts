import { expect, test } from 'vitest';
import { recentItems, rememberItem } from './recent-items.ts';

const opened = (id: string) => rememberItem('zoe', 'demo', { category: 'devices', id });

test('the last three that were opened are offered, the newest first, each once', () => {
  for (const id of ['a', 'b', 'c', 'd', 'c']) opened(id);
  expect(recentItems('zoe', 'demo').map(({ id }) => id)).toEqual(['c', 'd', 'b']);
  expect(recentItems('zoe', 'north')).toEqual([]);
  expect(recentItems('adam', 'demo')).toEqual([]);
});
