import { type Entity, NO_SIGNALS } from '@albedo/contract/entities/entities.schema';
import { expect, test } from 'vitest';
import { readCsv } from '../../ui/csv/read-csv.ts';
import { csvOf, planCsv } from './csv-plan.ts';

const site: Entity = {
  _id: 'site',
  name: 'Hill, "north"',
  parent: null,
  labels: ['pv', 'own'],
  machine: null,
  children: ['inv'],
  meta: { kWp: 61.6, note: 'a;b' },
  signals: { ...NO_SIGNALS, sources: [{ deviceId: 'd-1', source: 'inv/01' }] },
  settings: {},
  version: 1,
};
const child: Entity = { ...site, _id: 'inv', name: 'Inverter', parent: 'site', children: [] };
const plan = async (text: string) =>
  planCsv(await readCsv(new File([text], 'entities.csv'), { rows: 100 }), [site, child]);

test('a file that was saved changes nothing when it is read back', async () => {
  expect(await plan(csvOf([site, child]))).toEqual({ create: [], change: [], faults: [] });
});

test('a known id is changed in the columns of the file, and everything else is new', async () => {
  const { create, change, faults } = await plan('id,name,parent\nsite,Valley,\n,New,site\nnorth,North,\n');
  expect(faults).toEqual([]);
  expect(change).toEqual([{ _id: 'site', name: 'Valley', parent: null }]);
  expect(create).toEqual([
    { name: 'New', parent: 'site' },
    { _id: 'north', name: 'North', parent: null },
  ]);
});

test('what is wrong is told by its line', async () => {
  const { faults } = await plan('id,name,meta\na,,\nb,B,[1]\nc,C,\nc,C,\n');
  expect(faults.map(({ row, kind }) => `${row} ${kind}`)).toEqual([
    '2 name_missing',
    '3 meta_wrong',
    '5 id_twice',
  ]);
});

test('names that a spreadsheet would take for formulas come back as they were', async () => {
  const odd = ['=1+1', '@home', '-north', '+plus', "'quoted'"].map((name, n) => ({
    ...{ ...child, _id: `odd${n}`, name, parent: null },
  }));
  const table = await readCsv(new File([csvOf(odd)], 'entities.csv'), { rows: 100 });
  expect(planCsv(table, odd)).toEqual({ create: [], change: [], faults: [] });
});

test('a parent that nobody is, and a circle, are told by their lines before anything is sent', async () => {
  const { faults } = await plan('id,name,parent\na,A,b\nb,B,a\nsite,Hill,inv\nc,C,nobody\nd,D,site\n');
  expect(faults.map(({ row, kind }) => `${row} ${kind}`)).toEqual([
    '2 circle',
    '3 circle',
    '4 circle',
    '5 parent_unknown',
  ]);
});
