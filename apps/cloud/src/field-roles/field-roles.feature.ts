import { fieldRolesApi } from '@albedo/contract/field-roles/field-roles.api';
import type { Postgres } from '@albedo/postgres/postgres';
import { callerOf } from '../access/caller.ts';
import { managerOf } from '../access/manager.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { Feature } from '../house/feature.ts';
import { bind } from '../http/bind.ts';
import type { Telemetry } from '../telemetry/telemetry.service.ts';
import { FieldRoles } from './field-roles.service.ts';
import { FieldRolesStore } from './field-roles.store.ts';

/** What the fields of sources mean, in one vocabulary for all makers. */
export function openFieldRoles(of: {
  postgres: Postgres;
  telemetry: Telemetry;
  audit: Audit;
}): Feature<FieldRoles> {
  const { postgres, telemetry, audit } = of;
  const roles = new FieldRoles({ store: new FieldRolesStore(postgres), telemetry, audit });
  return {
    name: 'field-roles',
    service: roles,
    routes: (app) =>
      bind(app, fieldRolesApi, {
        list: (call) => roles.list(callerOf(call), call.params.device),
        set: (call) => roles.set(callerOf(call), call.params.device, call.body, managerOf(call)),
      }),
  };
}
