import { expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { Faults } from './faults.ts';
import type { Unit } from './outbox.events.ts';

test('a fault that repeats makes one record for each table, source, column, kind and hour, then one with its count', () => {
  const units: Unit[] = [];
  const faults = new Faults(
    { append: (unit) => units.push(unit) },
    createLog('error', () => {}),
  );
  const fault = {
    table: 't',
    source: 's',
    scenario: 'tail',
    column: 'a',
    message: 'bad',
    line: 'x'.repeat(5000),
  };
  faults.report(fault);
  faults.report(fault);
  faults.report({ ...fault, column: 'b' });
  faults.report({ ...fault, source: '' });
  faults.report({ ...fault, message: '"x" is not a number' });
  faults.report({ ...fault, message: '"y" is not a number' });
  faults.stop();
  const rows = units.flatMap((one) => one.captures);
  expect(rows.map((one) => [one.shape.table, one.shape.source])).toEqual([
    ['agent_errors', 's'],
    ['agent_errors', 's'],
    ['agent_errors', 'agent'],
    ['agent_errors', 's'],
    ['agent_errors', 's'],
    ['agent_errors', 's'],
  ]);
  expect(rows.map((one) => [one.rows[0]?.values[3], one.rows[0]?.values[5]])).toEqual([
    ['bad', 1],
    ['bad', 1],
    ['bad', 1],
    ['"x" is not a number', 1],
    ['bad', 1],
    ['"y" is not a number', 1],
  ]);
  expect(rows[0]?.rows[0]?.values.slice(0, 4)).toEqual(['t', 'tail', 'a', 'bad']);
  expect(String(rows[0]?.rows[0]?.values[4]).length).toBe(1001);
});
