import { can, signedIn } from '../access/access.ts';
import { onDevice } from '../devices/devices.schema.ts';
import type { Api } from '../http/endpoint.ts';
import { agentBuild, upgradeReadiness } from './upgrades.schema.ts';

export const upgradesApi = {
  build: {
    method: 'GET',
    url: '/agent/build',
    access: signedIn,
    summary: 'The agent that new packs hold and devices are upgraded to, with its hash.',
    schema: { response: { 200: agentBuild } },
  },
  readiness: {
    method: 'GET',
    url: '/devices/:wg/:device/upgrade',
    access: can('controlDevices'),
    summary:
      'Asks the device whether its agent can be upgraded: its version, the five checks, and the last upgrade.',
    schema: { params: onDevice, response: { 200: upgradeReadiness } },
  },
} as const satisfies Api;
