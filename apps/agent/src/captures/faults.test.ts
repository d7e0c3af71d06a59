import { expect, test } from 'vitest';
import { createLog } from '../log.ts';
import type { Unit } from '../outbox/outbox.events.ts';
import { Faults } from './faults.ts';

test('a fault that repeats makes one record for each table, source, column and hour', () => {
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
  const rows = units.flatMap((one) => one.captures);
  expect(rows.map((one) => [one.shape.table, one.shape.source])).toEqual([
    ['agent_errors', 's'],
    ['agent_errors', 's'],
    ['agent_errors', 'agent'],
  ]);
  expect(rows[0]?.rows[0]?.values.slice(0, 4)).toEqual(['t', 'tail', 'a', 'bad']);
  expect(String(rows[0]?.rows[0]?.values[4]).length).toBe(1001);
});
