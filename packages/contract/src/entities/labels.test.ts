import { expect, test } from 'vitest';
import { labelsOf } from './labels.ts';

test('labels of a workgroup are words, or have a name and perhaps a colour; anything else has none', () => {
  const roof = { id: 'a', name: 'Roof', color: '#00aa00' };
  expect(labelsOf({ labels: ['site', roof, { id: 'b', name: 'Yard' }] })).toEqual([
    { id: 'site', name: 'site', color: '' },
    roof,
    { id: 'b', name: 'Yard', color: '' },
  ]);
  expect(labelsOf({})).toEqual([]);
  expect(labelsOf({ labels: 'site' })).toEqual([]);
});
