import type { ErrorCatalog } from '../http/catalogs.ts';

export const securityServicesErrors = {
  'security_service.job_not_found': {
    status: 404,
    text: 'This scan does not exist, or you do not have access to it.',
  },
  'security_service.finding_not_found': { status: 404, text: 'The scan has not found {key}.' },
  'security_service.cloud_device': {
    status: 409,
    text: '{name} is a cloud device. Only devices on a site are scanned.',
  },
} as const satisfies ErrorCatalog;
