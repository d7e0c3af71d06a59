import { expect, test } from 'vitest';
import { mergedConfig } from './merged-config.ts';

const BEFORE = `# The plant on the hill.
mqtt:
  hostname: cloud # ours
run:
  - {table: board, source: load, command: uptime, frequency: 10, expect: log}
  - {table: board, source: disk, command: df, frequency: 60, expect: log}
debug: 0
`;

test('keys take the place of those that are there, entries of captures by table and source, the rest stays', () => {
  const part = `run:
  - {table: board, source: disk, command: df -h, frequency: 30, expect: log}
  - {table: board, source: time, command: date, frequency: 30, expect: log}
debug: null
outbox: {limit_mb: 64}
`;
  const after = mergedConfig(BEFORE, part);
  expect(after).toContain('# The plant on the hill.');
  expect(after).toContain('cloud # ours');
  expect(after).toContain('command: uptime');
  expect(after).toContain('df -h');
  expect(after).toContain('source: time');
  expect(after).not.toContain('debug');
  expect(after).toContain('limit_mb: 64');
  expect(mergedConfig(after, part)).toBe(after);
});

test('what each device has for itself is not put into many, and rubbish is said so', () => {
  expect(() => mergedConfig(BEFORE, 'mqtt: {hostname: other}')).toThrow();
  expect(() => mergedConfig(BEFORE, 'remote: true')).toThrow();
  expect(() => mergedConfig(BEFORE, '- 1')).toThrow();
  expect(() => mergedConfig(BEFORE, 'a: [')).toThrow();
  // A damaged configuration is left alone.
  expect(mergedConfig('mqtt: [', 'debug: 1')).toBe('mqtt: [');
});
