/** Socket actions and events of document 2: the fields of each request, and how long it is waited for, in seconds. */
import type { Shown } from './source.ts';

/** What an action is called, the fields that it takes, and the time until it is given up; null for as long as it goes on. */
export const ACTIONS: Readonly<Record<string, { takes: readonly string[]; timeoutS: number | null }>> = {
  'device:refreshMeta': { takes: ['deviceId'], timeoutS: 120 },
  'device:sendalbedoctl': { takes: ['deviceId'], timeoutS: 1800 },
  'device:doUpgrade': { takes: ['deviceId'], timeoutS: 60 },
  'device:testConfig': { takes: ['deviceId', 'config'], timeoutS: 30 },
  'device:applyConfig': { takes: ['deviceId', 'config'], timeoutS: 60 },
  'device:sendArdpkg': { takes: ['deviceId'], timeoutS: 1800 },
  'device:feed': { takes: ['deviceId', 'table', 'source', 'field'], timeoutS: 15 },
  'device:feed:stop': { takes: ['feedId'], timeoutS: 15 },
  'device:bulkFeed': { takes: ['streams'], timeoutS: 15 },
  'device:cmd': { takes: ['deviceId', 'cmd'], timeoutS: null },
  search: { takes: ['table', 'timezone', 'query'], timeoutS: null },
};

/** Events that the server sends by itself. */
export const EVENTS: readonly string[] = [
  'job',
  'incident',
  'deviceSchedule',
  'deviceSetpoint',
  'device:stateChange',
  'device:new',
  'device:metaChange',
];

export const SOCKETS_SHOWN: Shown = {
  'e2e/fleet.test.ts': {
    'a configuration is read, tested, applied with what stands on the disk then, and taken up': [
      'device:refreshMeta',
      'device:testConfig',
      'device:applyConfig',
      'device:metaChange',
    ],
  },
  'e2e/plugins.test.ts': {
    'the tools are put back as commands, a device that was never told whose plugins it runs takes none': [
      'device:sendArdpkg',
      'device:sendalbedoctl',
    ],
  },
  'e2e/upgrade.test.ts': {
    'a new version is signed, installed, reports in and stays': ['device:doUpgrade'],
  },
  'apps/cloud/src/sockets/sockets.test.ts': {
    'a feed says what it is of, and of one field only that': ['device:feed'],
    'two viewers of one source share one feed on the device, and the last one to leave stops it': [
      'device:feed:stop',
    ],
    'one feed carries several streams, of all fields or of one, until it is stopped': ['device:bulkFeed'],
    'a command runs on the device and its result comes back': ['device:cmd'],
  },
  'apps/cloud/src/telemetry/telemetry.routes.test.ts': {
    'the socket answers the same as the address': ['search'],
  },
  'apps/cloud/src/security-services/security-services.test.ts': {
    'the event job tells of every step, to those who may read it and see the device': ['job'],
  },
  'apps/cloud/src/alerts/alerts.test.ts': {
    'browsers that see the device hear of every step of an incident, and no others': ['incident'],
  },
  'apps/cloud/src/schedules/schedules.test.ts': {
    'events of a device reach only those who may see it': ['deviceSchedule', 'deviceSetpoint'],
  },
  'apps/cloud/src/processes.test.ts': {
    'who is online there is online here, on screens and in the list': ['device:stateChange'],
  },
  'apps/cloud/src/device-groups/device-groups.test.ts': {
    'learn at once that devices came into the group and went out of it': ['device:new'],
  },
};
