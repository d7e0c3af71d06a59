import type { ErrorCatalog } from '../http/catalogs.ts';

export const upgradesErrors = {
  // Source: specification 2, section 5.
  'upgrade.check_failed': { status: 409, text: 'Pre-upgrade check failed: {check}' },
  'upgrade.returned': {
    status: 409,
    text: 'Version {version} did not report in, so the device went back to {back} by itself.',
  },
  'upgrade.silent': {
    status: 504,
    text: 'The device has not reported in since version {version} was installed. It goes back to the version before by itself.',
  },
} as const satisfies ErrorCatalog;
