import type { Postgres } from '@albedo/postgres/postgres';
import type { AccessControl } from '../access-control/access-control.service.ts';
import type { Audit } from '../audit/audit.service.ts';
import { rolesPart } from '../database/roles.tables.ts';
import type { Feature } from '../house/feature.ts';
import { rolesRoutes } from './roles.routes.ts';
import { Roles } from './roles.service.ts';
import { RolesStore } from './roles.store.ts';

/** Roles of a workgroup's own, which its rules name. */
export function openRoles(of: {
  postgres: Postgres;
  accessControl: AccessControl;
  audit: Audit;
}): Feature<Roles> {
  const roles = new Roles({ ...of, store: new RolesStore(of.postgres) });
  return {
    name: 'roles',
    service: roles,
    workgroupPart: { tables: rolesPart },
    routes: (app) => rolesRoutes(app, roles),
  };
}
