import { expect, test } from 'vitest';
import { savedConfig } from './saved-config.ts';

test('what the device tells of itself is left out, all else stays as it was written', () => {
  const text =
    '# The plant\nmqtt:\n  port: 8883 # secure\ntimezone: Europe/Berlin\ndynamic: []\nmachine: true\n';
  expect(savedConfig(text)).toBe('# The plant\nmqtt:\n  port: 8883 # secure\nmachine: true\n');
  const own = 'run:   [ ]\n# end';
  expect(savedConfig(own)).toBe(own);
  expect(savedConfig('run: [')).toBe('run: [');
  expect(savedConfig({ timezone: 'UTC', dynamic: [], machine: true })).toBe('machine: true\n');
});
