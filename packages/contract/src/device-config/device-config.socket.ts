import { z } from 'zod';
import { can } from '../access/access.ts';
import type { SocketAction } from '../sockets/action.ts';
import { CONFIG_LENGTH, configApplied, configCheck } from './device-config.schema.ts';

const deviceId = z.uuid();

/**
 * A configuration as text (YAML), or as what it says. `timezone` and `dynamic`, which the device tells of itself, are
 * left out when it is saved.
 */
const config = z.union([z.string().max(CONFIG_LENGTH), z.record(z.string(), z.unknown())]);

export const deviceConfigActions = {
  'device:testConfig': {
    access: can('controlDevices'),
    summary: 'Has the device read a configuration without taking it up; answers what is wrong, by line.',
    request: z.object({ deviceId, config }),
    reply: configCheck,
    timeoutMs: 30_000,
  },
  'device:applyConfig': {
    access: can('controlDevices'),
    summary:
      'Replaces the configuration of the device and reads it back; one that cannot be used changes nothing.',
    request: z.object({
      deviceId,
      config,
      /** Hash of the configuration that was edited; with it, what somebody else changed meanwhile is not written over. */
      over: z.string().max(64).nullable().default(null),
    }),
    reply: configApplied,
    timeoutMs: 60_000,
  },
} as const satisfies Record<string, SocketAction>;
