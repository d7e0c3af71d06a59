import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const devicesErrors = {
  'device.not_found': { status: 404, text: 'This device does not exist, or you do not have access to it.' },
  'device.name_taken': { status: 409, text: 'Another device in this workgroup already has the name {name}.' },
  'device.arch_unknown': { status: 400, text: 'There is no agent for {arch}: amd64, arm64 or armhf.' },
  'device.settings_full': {
    status: 400,
    text: 'The settings of a device take at most {keys} keys and {limit} characters together.',
  },
  'device.in_quarantine': {
    status: 409,
    text: '{name} is in quarantine and cannot connect. Release it first.',
  },
  'device.offline': { status: 409, text: 'The device is offline, so it cannot answer.' },
  'device.no_answer': { status: 504, text: 'The device did not answer within {seconds} s.' },
  'device.lost': { status: 502, text: 'The connection to the device was lost before it answered.' },
  'device.agent_old': {
    status: 409,
    text: 'The agent on the device does not know this yet. Upgrade the agent, then try again.',
  },
  'device.refused': { status: 403, text: 'The device refuses: {why}' },
  'device.unable': { status: 409, text: 'The device could not do it: {why}' },
  'device.invalid': { status: 400, text: 'The device cannot use this: {why}' },
  'device.changed': { status: 409, text: '{why}' },
  'device.busy': { status: 409, text: 'Too much is asked of this device at once. Try again in a moment.' },
  'device.rubbish': { status: 502, text: 'The device answered something that makes no sense.' },
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
  'issue.device_path': 'A path begins with a slash.',
  'issue.device_path_nul': 'A path has no NUL.',
  'issue.scan_addresses': 'Give IPv4 addresses such as 192.168.1.10-40 or 192.168.1.0/24.',
  'issue.scan_ports': 'Give ports such as 80,443,500-510.',
  'issue.scan_bus_addresses': 'Give bus addresses such as 1-10,100.',
} as const satisfies IssueCatalog;
