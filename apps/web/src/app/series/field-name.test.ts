import { expect, test } from 'vitest';
import { fieldName } from './field-name.ts';

test('names of programs read as words, names of people stay as they are', () => {
  const named = ['cpu_usage', 'disk_free_bytes', 'mem_used', 'AC Power', 'TotWhImp', 'power', 'x_'].map(
    fieldName,
  );
  expect(named).toEqual([
    'CPU usage',
    'Disk free bytes',
    'Memory used',
    'AC Power',
    'TotWhImp',
    'power',
    'x_',
  ]);
});
