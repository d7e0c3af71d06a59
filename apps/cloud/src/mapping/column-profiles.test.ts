import { expect, test } from 'vitest';
import { ColumnProfiles } from './column-profiles.ts';

function profiled(columns: Readonly<Record<string, readonly string[]>>) {
  const profiles = new ColumnProfiles(Object.keys(columns));
  const rows = Math.max(...Object.values(columns).map((values) => values.length));
  for (let i = 0; i < rows; i++)
    profiles.add(
      Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values[i] ?? ''])),
    );
  return profiles.columns(new Map(), ';');
}
const times = (count: number, text: string) => Array.from({ length: count }, () => text);

test.each(['NaN', 'n/a', '---', 'null', '#N/A', 'k. A.'])(
  'a column of numbers with many %s is one of numbers, and its sign is asked',
  (word) => {
    expect(profiled({ P: [...times(10, '1.508'), ...times(10, word)] })).toMatchObject([
      { kind: 'number', decimal: 'unclear', filled: 10, example: '1.508' },
    ]);
  },
);

test('numbers between other words have their sign as well, and it says nothing of other columns', () => {
  const [state, power] = profiled({
    state: [...times(10, '1,5'), ...times(10, 'fault')],
    P: times(20, '1.508'),
  });
  expect(state).toMatchObject({ kind: 'text', decimal: ',' });
  expect(power).toMatchObject({ kind: 'number', decimal: 'unclear' });
});
