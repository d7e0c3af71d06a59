import { expect, test } from 'vitest';
import { Tally } from './tally.ts';

test('the table names each stage and the slowest 15 files, the slowest first', () => {
  const tally = new Tally();
  expect(tally.add('build', { passed: 1, failed: 0 }, 7640)).toBe('ok   build: 1 passed, 0 failed (7.6 s)');
  const files = Array.from({ length: 20 }, (_, at) => ({ file: `${at}.test.ts`, tookMs: at * 1000 }));
  expect(tally.add('tests', { passed: 40, failed: 2 }, 61_000, files)).toMatch(/^FAIL tests: /);
  const lines = tally.table().split('\n');
  expect(lines).toContain('     7.6  build: 1 passed, 0 failed');
  expect(lines).toContain('    61.0  tests: 40 passed, 2 failed');
  expect(lines.filter((line) => line.endsWith('.test.ts'))).toHaveLength(15);
  expect(lines.findIndex((line) => line.endsWith(' 19.test.ts'))).toBeLessThan(
    lines.findIndex((line) => line.endsWith(' 18.test.ts')),
  );
  expect(tally.total).toEqual({ passed: 41, failed: 2 });
});
