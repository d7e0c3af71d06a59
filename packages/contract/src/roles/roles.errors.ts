import type { ErrorCatalog } from '../http/catalogs.ts';

export const rolesErrors = {
  'role.not_found': { status: 404, text: 'This role no longer exists.' },
  'role.too_many': { status: 409, text: 'A workgroup can have up to {count} roles. Delete one first.' },
  'role.name_taken': { status: 409, text: 'Another role in this workgroup already has the name {name}.' },
} as const satisfies ErrorCatalog;
