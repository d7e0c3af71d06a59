import type { Completeness, Gap } from '@albedo/contract/completeness/completeness.schema';
import { expect, test } from 'vitest';
import { storedKey } from '../harness/stored-rows.ts';
import { judge } from './check.ts';
import { range } from './plant.ts';

const CLAIM = { device: 'd', table: 't', written: range(0, 10) };

const rows = (values: [n: number, count: number][]) => new Map([[storedKey('d', 't'), new Map(values)]]);
const all = range(0, 10).map((n): [number, number] => [n, 1]);
const ledger = (stored: number, gaps: Partial<Gap>[] = []) =>
  ({ streams: [{ table: 't', stored }], gaps: gaps.map((gap) => ({ table: 't', ...gap })) }) as Completeness;

test('rows that are lost, doubled, foreign or told wrongly are each found', () => {
  expect(judge(CLAIM, rows(all), ledger(10))).toEqual([]);
  const lost = rows(all.slice(1));
  const causes = ['file_lost' as const];
  expect(judge(CLAIM, lost, ledger(9))).toEqual(['t: 1 values are lost (0)']);
  expect(judge({ ...CLAIM, causes }, lost, ledger(9)).join()).toMatch('no gap of file_lost is told');
  expect(judge({ ...CLAIM, causes }, lost, ledger(9, [{ cause: 'file_lost', events: null }]))).toEqual([]);
  expect(judge({ ...CLAIM, causes }, lost, ledger(9, [{ cause: 'file_lost', events: 0 }])).join()).toMatch(
    'the ledger tells 0 lost events, 1 are missing',
  );
  expect(judge(CLAIM, lost, ledger(10)).join()).toMatch('the ledger counts 10 stored, the store has 9');
  expect(judge(CLAIM, rows([...all.slice(1), [0, 2]]), ledger(11))).toEqual(['t: 1 values too often (0)']);
  expect(judge(CLAIM, rows([...all, [77, 1]]), ledger(11)).join()).toMatch('rows that nobody wrote (77)');
  expect(judge(CLAIM, rows(all), ledger(10, [{ cause: 'unexplained', events: 3 }])).join()).toMatch(
    'gaps that nobody made',
  );
  expect(judge({ ...CLAIM, causes, isTold: true }, rows(all), ledger(10)).join()).toMatch('is told');
});
