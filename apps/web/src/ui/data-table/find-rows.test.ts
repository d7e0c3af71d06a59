import { expect, test } from 'vitest';
import type { Column } from './column.ts';
import { findRows } from './find-rows.ts';

interface Person {
  name: string;
  seenAt: number | null;
}

const columns: Column<Person>[] = [
  { id: 'name', title: 'Name', width: 1, value: ({ name }) => name },
  {
    id: 'seenAt',
    title: 'Seen',
    width: 1,
    value: ({ seenAt }) => seenAt,
    text: ({ seenAt }) => (seenAt === null ? 'never' : 'today'),
  },
];
const people: Person[] = [
  { name: 'José Núñez', seenAt: 1 },
  { name: 'Jörg Weiß', seenAt: null },
];
const found = (q: string) => findRows(columns, people, q).map(({ name }) => name);

test('every word has to stand somewhere in the row, in any column, whatever its case and accents', () => {
  expect(found('nunez')).toEqual(['José Núñez']);
  expect(found('J TODAY')).toEqual(['José Núñez']);
  expect(found('jorg never')).toEqual(['Jörg Weiß']);
  expect(found('jose never')).toEqual([]);
});

test('without a word the list itself comes back, so that nothing renders again', () => {
  expect(findRows(columns, people, '  ')).toBe(people);
});
