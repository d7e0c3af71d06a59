import type { ErrorCatalog } from '../http/catalogs.ts';

export const machinesErrors = {
  'machine.not_found': { status: 404, text: 'This machine no longer exists.' },
  'machine.name_taken': { status: 409, text: 'Another machine in this workgroup is already called {name}.' },
  'machine.too_many': { status: 409, text: 'A workgroup can have up to {count} machines. Delete one first.' },
} as const satisfies ErrorCatalog;
