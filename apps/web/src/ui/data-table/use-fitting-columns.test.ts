import { expect, test } from 'vitest';
import type { Column } from './column.ts';
import { fitted } from './use-fitting-columns.ts';

const column = (id: string, importance?: number): Column<object> => ({
  id,
  title: id.toUpperCase(),
  value: () => null,
  width: 100,
  ...(importance === undefined ? { isFixed: true } : { importance }),
});
const columns = [column('name'), column('cpu', 3), column('disk', 2), column('kind', 1)];
const shown = (of: Partial<Parameters<typeof fitted<object>>[0]> = {}) => {
  const { visibility, leftOut } = fitted({
    columns,
    choices: {},
    sizing: {},
    roomPx: 300,
    calling: [],
    ...of,
  });
  return { shown: columns.map(({ id }) => id).filter((id) => visibility[id]), leftOut };
};

test('the least important columns are left out where the width does not suffice', () => {
  expect(shown({ roomPx: 400 })).toEqual({ shown: ['name', 'cpu', 'disk', 'kind'], leftOut: [] });
  expect(shown()).toEqual({ shown: ['name', 'cpu', 'disk'], leftOut: ['KIND'] });
  expect(shown({ roomPx: 50 })).toEqual({ shown: ['name'], leftOut: ['CPU', 'DISK', 'KIND'] });
});

test('where a wide column has no room, a narrower one that matters less takes what there is', () => {
  const wide = { ...column('power', 4), width: 250 };
  expect(shown({ columns: [column('name'), wide, column('cpu', 3)] }).leftOut).toEqual(['POWER']);
});

test('a column in which a row calls for attention is left out last', () => {
  expect(shown({ roomPx: 200, calling: ['kind'] })).toEqual({
    shown: ['name', 'kind'],
    leftOut: ['CPU', 'DISK'],
  });
});

test('what was chosen by hand is shown, what was hidden by hand is not missing', () => {
  expect(shown({ roomPx: 200, choices: { kind: true, disk: false } })).toEqual({
    shown: ['name', 'kind'],
    leftOut: ['CPU'],
  });
});

test('what is left of the width is shared, except with columns that somebody made as wide as they are', () => {
  const { widths } = fitted({ columns, choices: {}, sizing: { cpu: 100 }, roomPx: 490, calling: [] });
  expect(widths).toEqual({ name: 130, disk: 130, kind: 130 });
});

test('a column gives up width before another one is left out, and takes it back where there is room', () => {
  const all = [{ ...column('name'), width: 200, leastWidth: 100 }, column('cpu', 3), column('disk', 2)];
  const at = (roomPx: number) => fitted({ columns: all, choices: {}, sizing: {}, roomPx, calling: [] });
  expect(at(300)).toMatchObject({ leftOut: [], widths: { name: 100, cpu: 100, disk: 100 } });
  expect(at(350).widths).toEqual({ name: 150, cpu: 100, disk: 100 });
  expect(at(400).widths).toEqual({ name: 200, cpu: 100, disk: 100 });
  expect(at(800).widths).toEqual({ name: 400, cpu: 200, disk: 200 });
  expect(at(299).leftOut).toEqual(['DISK']);
});

test('in a table that ranks none of its columns the left ones matter more, and what has to stay gives way', () => {
  const plain = (id: string, more = {}) => ({ ...column(id), isFixed: false, ...more });
  const all = [plain('at'), plain('by'), plain('what'), plain('state')];
  const at = (roomPx: number) => fitted({ columns: all, choices: {}, sizing: {}, roomPx, calling: [] });
  expect(at(320)).toMatchObject({ leftOut: ['STATE'], widths: { at: 106, by: 106, what: 106 } });
  const two = fitted({
    columns: [column('a'), column('b')],
    choices: {},
    sizing: {},
    roomPx: 150,
    calling: [],
  });
  expect(two.widths).toEqual({ a: 75, b: 75 });
});
