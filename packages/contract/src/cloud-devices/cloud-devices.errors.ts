import type { ErrorCatalog, IssueCatalog } from '../http/catalogs.ts';

export const cloudDevicesErrors = {
  'cloud_device.not_found': { status: 404, text: 'This is no device that the cloud runs.' },
  'cloud_device.cloud_unknown': { status: 404, text: 'There is no cloud {cloud} for cloud devices.' },
  'cloud_device.too_many': {
    status: 409,
    text: 'A workgroup can have up to {count} cloud devices. Delete one first.',
  },
  'cloud_device.secrets_full': {
    status: 409,
    text: 'The network settings of a cloud device have up to {count} files and variables.',
  },
  'nat_gateway.not_found': { status: 404, text: 'This workgroup has no NAT gateway.' },
  'nat_gateway.exists': { status: 409, text: 'This workgroup has a NAT gateway already.' },
  'nat_gateway.not_needed': {
    status: 409,
    text: 'Cloud devices of this server join the networks of their plants; they need no NAT gateway.',
  },
  'nat_gateway.not_outside': {
    status: 400,
    text: 'A NAT gateway leads to machines in the internet only, and {network} is none of them.',
  },
  'cloud_device.secret_not_found': { status: 404, text: 'There is no such file or variable.' },
} as const satisfies ErrorCatalog;

export const cloudDevicesIssues = {
  'issue.network_file': 'Use letters, digits, full stops, - and _; begin with a letter or a digit.',
  'issue.outside_network': 'Use an address, or a network such as 203.0.113.0/28 with up to 256 addresses.',
  'issue.network_variable': 'Use capital letters, digits and _; begin with a letter.',
} as const satisfies IssueCatalog;
