import type { ErrorCatalog } from '../http/catalogs.ts';

export const workgroupAdminErrors = {
  'workgroup.phrase_wrong': { status: 400, text: 'Type {phrase} exactly to delete this workgroup.' },
} as const satisfies ErrorCatalog;
