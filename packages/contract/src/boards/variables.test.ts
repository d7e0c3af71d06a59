import { expect, test } from 'vitest';
import { AGGREGATION_INTERVALS } from '../telemetry/intervals.ts';
import { board, settingsOf } from './boards.schema.ts';
import { bindingsOf, boundItems } from './variables.ts';

const WORLD = {
  entities: [
    { _id: 'hill', name: 'Hill', labels: ['site'] },
    { _id: 'hall', name: 'Hall', labels: [] },
  ],
  labels: [{ id: 'site', name: 'Site' }],
};
const VARIABLES = [
  { name: 'plant', kind: 'entity' as const, options: ['site'] },
  { name: 'field', kind: 'list' as const, options: ['Power', 'Current'] },
  { name: 'step', kind: 'interval' as const, initial: '1d' },
  { name: 'limit', kind: 'number' as const, initial: '5' },
];
const ITEMS = [
  {
    id: 'a',
    kind: 'bars',
    title: '{{field}} of {{plant}} above {{limit}}, {{nobody}}',
    entity: '{{plant}}',
    settings: { streams: [{ table: 'solar', field: '{{field}}', combine: 'sum' }], interval: '{{ step }}' },
  },
  {
    id: 'g',
    kind: 'group',
    variables: [{ name: 'field', kind: 'text' as const, initial: 'Volts' }],
    items: [{ id: 'b', kind: 'text', settings: { text: '# {{field}} {{plant}}' } }],
  },
];

test('variables stand in titles, texts, streams, intervals and entities; those of a container count inside it', () => {
  expect(board.safeParse({ items: ITEMS, variables: VARIABLES }).error).toBeUndefined();
  const chosen = { field: 'Current', limit: '7', 'g.field': 'Amps', plant: 'hall' };
  const items = boundItems(ITEMS, { ...WORLD, chosen }, bindingsOf(VARIABLES, chosen, WORLD));
  expect(items[0]).toMatchObject({ title: 'Current of Hill above 7, {{nobody}}', entity: 'hill' });
  expect(settingsOf(items[0] as never)).toMatchObject({ streams: [{ field: 'Current' }], interval: '1d' });
  expect(items[1]?.items).toMatchObject([{ settings: { text: '# Amps Hill' } }]);
});

test('what cannot be chosen counts as what the variable is first', () => {
  const chosen = { field: 'Nobody', step: '7s', limit: 'many', __proto__: 'x' };
  const texts = [...bindingsOf(VARIABLES, chosen, WORLD)].map(([name, { value }]) => `${name} ${value}`);
  expect(texts).toEqual(['plant hill', 'field Power', 'step 1d', 'limit 5']);
});

test.each([
  [[{ name: '1st', kind: 'text' }], 'variables.0.name'],
  [
    [
      { name: 'a', kind: 'text' },
      { name: 'a', kind: 'list' },
    ],
    'variables.1.name',
  ],
  [[{ name: 'a', kind: 'number', initial: 'many' }], 'variables.0.initial'],
  [[{ name: 'a', kind: 'bomb' }], 'variables.0.kind'],
])('%j is refused, naming the part', (variables, path) => {
  const { error } = board.safeParse({ items: [], variables });
  expect(error?.issues[0]?.path.join('.')).toBe(path);
});

test('a widget and a variable may have each interval that people aggregate by', () => {
  const each = ['1m', '2m', '5m', '10m', '15m', '30m', '1h', '6h', '12h', '1d', '1w', '1M', '1y'];
  expect(AGGREGATION_INTERVALS).toEqual(each);
  for (const step of each) {
    const chosen = { step };
    const items = boundItems(ITEMS, { ...WORLD, chosen }, bindingsOf(VARIABLES, chosen, WORLD));
    expect(settingsOf(items[0] as never)).toMatchObject({ interval: step });
  }
});
