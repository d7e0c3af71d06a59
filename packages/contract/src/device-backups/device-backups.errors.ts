import type { ErrorCatalog } from '../http/catalogs.ts';

export const deviceBackupsErrors = {
  'device_backup.not_found': { status: 404, text: 'There is no such backup.' },
  'device_backup.damaged': {
    status: 409,
    text: 'What came is not the backup that was announced, so nothing was kept or changed.',
  },
} as const satisfies ErrorCatalog;
