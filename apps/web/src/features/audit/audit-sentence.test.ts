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

const id = '7c1f3a52-0b0e-4c55-9d5a-2f8f8f0f7a11';

test('what has nothing but an id is called by its device', () => {
  const tunnel = { controller: 'mill', entity: id, action: 'restore' };
  expect(said({ ...tunnel, deviceName: 'Harbour' })).toBe('Harbour was restored');
});

test.each([
  [{ controller: 'bulk_action', action: 'begin' }, 'A bulk action began'],
  [{ controller: 'bulk_action', action: 'stop' }, 'A bulk action was stopped'],
  [{ controller: 'device_command', action: 'create' }, 'A command was saved'],
  [
    { controller: 'remote_approval', action: 'update', entity: 'demo' },
    'The rule of the second person was changed',
  ],
  [
    { controller: 'server', entity: 'server', action: 'crash', status: 'failed' },
    'The server ended without being stopped',
  ],
] as const)('what stands under an id alone, or under no name, reads as a sentence: %j', (of, text) => {
  expect(said({ entity: id, ...of })).toBe(text);
});

test.each([
  [
    { controller: 'plugin', entity: 'plugin', action: 'install', attribute: 'snmp', newValue: '1.2.0' },
    'snmp 1.2.0 was installed on Harbour',
  ],
  [
    { controller: 'plugin', entity: 'plugin', action: 'remove_task', attribute: 'snmp', newValue: '5m/ups' },
    'The task 5m/ups was removed from Harbour',
  ],
  [
    { controller: 'plugin', entity: 'plugin', action: 'activate_service', newValue: 'ups', status: 'failed' },
    'Did not work: The service ups was saved on Harbour',
  ],
  [
    { controller: 'device_config', entity: 'config', action: 'put_back', newValue: 'no connection followed' },
    'Harbour put back what had been changed: no connection followed',
  ],
  [{ controller: 'discovery', action: 'scan.modbus' }, 'Harbour looked for Modbus machines'],
  [
    { controller: 'remote_tunnel', action: 'open', newValue: '10.0.0.7:502', by: 'zoe@example.org' },
    'Tunnel to 10.0.0.7:502 was opened through Harbour',
  ],
  [{ controller: 'remote_tunnel', action: 'close', newValue: 'time' }, 'Tunnel through Harbour ended'],
  [
    { controller: 'remote_shell', action: 'open', by: 'zoe@example.org' },
    'Remote shell on Harbour was opened',
  ],
  [
    { controller: 'me', action: 'Confirm', by: 'zoe@example.org' },
    'zoe@example.org confirmed that it is them',
  ],
  [
    { controller: 'remote_access', action: 'update', newValue: 'forbidden', by: 'zoe@example.org' },
    'All remote access was ended and forbidden',
  ],
  [{ controller: 'remote_approval', entity: id, action: 'ask' }, 'Approval was asked for on Harbour'],
  [{ controller: 'device_backup', entity: id, action: 'restore' }, 'Harbour was restored from a backup'],
  [
    { controller: 'agent', entity: 'agent', action: 'begin_upgrade', newValue: '1.7.0' },
    'The upgrade of Harbour to 1.7.0 began',
  ],
  [{ action: 'reissue' }, 'New keys for Harbour were made'],
  [
    { controller: 'commissioning', entity: 'service', action: 'read', newValue: 'roof' },
    'Harbour began to read roof',
  ],
] as const)('what is done to devices reads as a sentence: %j', (of, text) => {
  expect(said({ ...of, deviceName: 'Harbour' })).toBe(text);
});
