import type { AuditRow } from '@albedo/contract/audit/audit.schema';
import { expect, test } from 'vitest';
import { changeLine } from './change-text.ts';

const row = (part: Partial<AuditRow>) =>
  changeLine({ attribute: null, oldValue: null, newValue: null, ...part } as AuditRow);

test('of records only the parts that changed are shown', () => {
  const oldValue = JSON.stringify({ name: 'Night', description: 'x', members: ['a', 'b'] });
  const newValue = JSON.stringify({ name: 'Day', description: 'x', members: [] });
  expect(row({ attribute: 'record', oldValue, newValue })).toBe('name: Night → Day; members: a, b → –');
});

test('plain values stand as they are', () => {
  expect(row({ attribute: 'canRenew', oldValue: 'true', newValue: 'false' })).toBe('canRenew: true → false');
  expect(row({ newValue: 'uptime' })).toBe('uptime');
  expect(row({ oldValue: 'owner' })).toBe('owner → –');
  expect(row({})).toBe('');
  expect(row({ newValue: '{not json' })).toBe('{not json');
});
