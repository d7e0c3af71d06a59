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
  'cloud_device.secret_not_found': { status: 404, text: 'There is no such file or variable.' },
} as const satisfies ErrorCatalog;

export const cloudDevicesIssues = {
  'issue.network_file': 'Use letters, digits, full stops, - and _; begin with a letter or a digit.',
  'issue.network_variable': 'Use capital letters, digits and _; begin with a letter.',
} as const satisfies IssueCatalog;
