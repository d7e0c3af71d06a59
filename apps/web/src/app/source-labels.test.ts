import { expect, test } from 'vitest';
import { knownSourceLabels } from './source-labels.ts';

const labels = ['pv', 'roof', 'meter'].map((id) => ({ id, name: id.toUpperCase() }));
const labelling = knownSourceLabels(labels, [
  { device: 'a', source: 'roof', labels: ['roof'], parent: null },
  { device: 'a', source: 'inv-1', labels: ['pv'], parent: 'roof' },
  { device: 'b', source: 'inv-1', labels: ['gone'], parent: null },
]);
const names = (device: string, source: string) => labelling.of(device, source).map(({ name }) => name);

test('a source has its labels and those of what it stands below, of its own device', () => {
  expect(names('a', 'inv-1')).toEqual(['PV', 'ROOF']);
  expect(names('a', 'roof')).toEqual(['ROOF']);
  expect(names('a', 'constructor')).toEqual([]);
  expect(names('b', 'inv-1')).toEqual([]);
  expect(names('c', 'inv-1')).toEqual([]);
});

test('offered are labels that some source has, and that still exist', () => {
  expect(labelling.offered.map(({ id }) => id)).toEqual(['pv', 'roof']);
  expect(['a', 'b', 'c'].map((device) => labelling.isOn(device, 'pv'))).toEqual([true, false, false]);
});
