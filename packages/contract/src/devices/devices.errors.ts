import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const devicesErrors = {
  'device.not_found': { status: 404, text: 'This device does not exist, or you do not have access to it.' },
  'device.name_taken': { status: 409, text: 'Another device in this workgroup already has the name {name}.' },
  'device.offline': { status: 409, text: 'The device is offline, so it cannot answer.' },
  'device.no_answer': { status: 504, text: 'The device did not answer within {seconds} s.' },
  'device.id_missing': { status: 400, text: 'Must supply a deviceId' },
  'device.command_missing': { status: 400, text: 'Must supply a command' },
  'pack.token_invalid': {
    status: 401,
    text: 'This install token has already been used or has expired. Create a new one on the device page.',
  },
  'pack.not_built': {
    status: 503,
    text: 'The agent program is not built on this server. Run the build, then try again.',
  },
} as const satisfies ErrorCatalog;

export const devicesIssues = {
  'issue.device_name_required': 'A device needs a name.',
} as const satisfies IssueCatalog;
