import type { AuditRow } from '@albedo/contract/audit/audit.schema';
import { t } from 'i18next';
import { expect, test } from 'vitest';
import '../../app/test-screen.tsx';
import { sentenceOf } from './audit-sentence.ts';

const entry = (of: Partial<AuditRow>): AuditRow =>
  ({
    controller: 'device',
    entity: 'device',
    action: 'create',
    status: 'success',
    by: null,
    deviceName: null,
    ...of,
  }) as AuditRow;
const said = (of: Partial<AuditRow>) => sentenceOf(t, entry(of));

test('an entry reads as a sentence', () => {
  expect(said({ controller: 'state_change', action: 'online', deviceName: 'Harbour' })).toBe(
    'Harbour came online',
  );
  expect(said({ deviceName: 'Harbour' })).toBe('Harbour was added');
  const role = { controller: 'role', entity: 'Night shift (7c1f3a52-0b0e-4c55-9d5a-2f8f8f0f7a11)' };
  expect(said({ ...role, action: 'delete' })).toBe('Role Night shift was deleted');
  expect(said({ controller: 'auth', entity: 'user', action: 'login', by: 'zoe@example.org' })).toBe(
    'zoe@example.org signed in',
  );
});

test('what failed says so, and what has no words stands as it is', () => {
  expect(said({ controller: 'role', entity: 'Night', action: 'delete', status: 'failed' })).toBe(
    'Did not work: Role Night was deleted',
  );
  expect(said({ controller: 'mill', entity: 'Wheel', action: 'grind' })).toBe('Wheel: grind');
});

test.each([
  ...[
    'restore',
    'start',
    'stop',
    'undo',
    'open',
    'close',
    'replay',
    'ask',
    'approve',
    'refuse',
    'withdraw',
    'use',
  ],
  ...['plan', 'schedule', 'get', 'read', 'set', 'backfill', 'begin_upgrade', 'upgrade', 'retry', 'suspend'],
  ...['resume', 'end-sessions'],
])('the action %s has words of its own', (action) => {
  expect(said({ controller: 'entity', entity: 'Zeta one', action })).not.toContain(`: ${action}`);
});

test('what was taken back from the deleted ones reads as a sentence', () => {
  expect(said({ controller: 'entity', entity: 'Zeta one', action: 'restore' })).toBe('Zeta one was restored');
});

test('what has nothing but an id is called by its device', () => {
  const shell = {
    controller: 'remote_shell',
    entity: '7c1f3a52-0b0e-4c55-9d5a-2f8f8f0f7a11',
    action: 'open',
  };
  expect(said({ ...shell, deviceName: 'Harbour' })).toBe('Remote shell Harbour was opened');
});
